// Asks a question of a server as pages do and prints what the client makes of the answer:
// node read.mjs ag-ui|ai-sdk URL QUESTION
import { HttpAgent } from "@ag-ui/client";
import { DefaultChatTransport, readUIMessageStream } from "ai";

const [kind, url, question] = process.argv.slice(2);

async function readAgUi() {
  const agent = new HttpAgent({
    url,
    threadId: "thread-1",
    initialMessages: [{ id: "m-1", role: "user", content: question }],
  });
  const custom = [];
  const ends = [];
  const read = await agent
    .runAgent(
      { runId: "run-1" },
      {
        onCustomEvent: ({ event }) => void custom.push(event.name),
        onRunFinishedEvent: ({ event }) => void ends.push(event.outcome?.type ?? "none"),
        onRunErrorEvent: ({ event }) => void ends.push(`error: ${event.code}`),
      },
    )
    .catch((error) => ({ error: String(error), newMessages: [] }));
  const { error, result } = read;
  return { error, result, custom, ends, messages: agent.messages.slice(1), state: agent.state };
}

async function readAiSdk() {
  const transport = new DefaultChatTransport({ api: url });
  const errors = [];
  const stream = await transport.sendMessages({
    chatId: "chat-1",
    trigger: "submit-message",
    messageId: undefined,
    messages: [{ id: "m-1", role: "user", parts: [{ type: "text", text: question }] }],
    abortSignal: undefined,
  });
  let message = null;
  const onError = (error) => void errors.push(String(error));
  for await (const now of readUIMessageStream({ stream, onError })) message = now;
  return { errors, message };
}

const read = { "ag-ui": readAgUi, "ai-sdk": readAiSdk }[kind];
console.log(JSON.stringify(await read()));
