/** Documents that questions can be asked of: dropped in, indexed, and told what became of each. */
import { type DragEvent, type FormEvent, useRef, useState } from "react";
import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Folder as FolderIcon, RefreshCw, Trash2, Upload } from "lucide-react";
import { createParser } from "eventsource-parser";
import { type Folder, type Uploaded, data, errorOf, reach, service } from "@/api/client";
import { isMissing, json, useChange, useFolders } from "@/api/kept";
import { useSession } from "@/api/queries";
import { useText } from "@/i18n";
import { Dialog, Page } from "@/parts/Shell";
import { Empty, Failed, Loading, Told } from "@/parts/states";

export default function FoldersScreen() {
  const text = useText();
  const folders = useFolders();
  const manages = useSession().data?.rights.some((right) => right === "folders" || right === "admin");
  return (
    <Page title={text.folders.title}>
      <h1 className="text-2xl font-semibold tracking-tight">{text.folders.title}</h1>
      <p className="mt-1 mb-6 text-ink-2">{text.folders.lead}</p>
      {manages && !folders.error && <NewFolder />}
      {folders.isPending && <Loading rows={5} />}
      {folders.error && (isMissing(folders.error) ? <Empty below title={text.states.notServed} /> : <Failed below error={folders.error} retry={() => void folders.refetch()} />)}
      {folders.data?.length === 0 && <Empty below icon={<FolderIcon size={28} />} title={text.folders.empty}>{text.folders.emptyWhy}</Empty>}
      <ul className="mt-6 space-y-4">
        {folders.data?.map((folder) => <OneFolder key={folder.id} folder={folder} manages={manages === true && !folder.read_only} />)}
      </ul>
    </Page>
  );
}

function NewFolder() {
  const text = useText();
  const [name, setName] = useState("");
  const create = useChange((body: { name: string }) => json<Folder>("POST", "/v1/folders", body), "folders");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name }, { onSuccess: () => setName("") });
  };
  return (
    <form onSubmit={submit} className="max-w-md">
      <div className="flex gap-2">
        <input className="field" required maxLength={200} placeholder={text.folders.new} aria-label={text.folders.name} value={name} onChange={(event) => setName(event.target.value)} />
        <button type="submit" className="btn" disabled={create.isPending}>{text.folders.create}</button>
      </div>
      <Told error={create.error} />
    </form>
  );
}

function OneFolder({ folder, manages }: { folder: Folder; manages: boolean }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const [sure, setSure] = useState(false);
  const path = `/v1/folders/${encodeURIComponent(folder.id)}`;
  const remove = useChange(() => json<void>("DELETE", path), "folders");
  return (
    <li className="card" data-folder={folder.id}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3.5">
        <FolderIcon size={20} className="shrink-0 text-accent" aria-hidden />
        <div className="min-w-0 flex-1 basis-44">
          <h2 className="font-medium break-words">{folder.name}</h2>
          <p className="num text-[13px] text-ink-3">
            {folder.files == null ? (folder.read_only ? text.folders.operator : text.folders.noFiles) : `${text.folders.files(folder.files)} · ${text.folders.passages(folder.passages)}`}
            {folder.read_only && ` · ${text.folders.readOnly}`}
          </p>
        </div>
        <Link to="/" search={{ folder: folder.id }} className="btn">{text.folders.askThis}</Link>
        <button type="button" className="btn btn-quiet" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? text.folders.hide : text.folders.show}</button>
        {manages && (
          <button type="button" className="btn btn-quiet" aria-label={`${text.common.delete}: ${folder.name}`} onClick={() => setSure(true)}><Trash2 size={16} aria-hidden /></button>
        )}
      </div>
      {manages && <Drop path={path} added={() => setOpen(true)} />}
      {open && <Files folder={folder} path={path} manages={manages} />}
      {sure && (
        <Dialog label={text.common.delete} close={() => setSure(false)}>
          <div className="space-y-5 p-6">
            <p>{text.folders.deleteSure}</p>
            <p className="font-medium">{folder.name}</p>
            <Told error={remove.error} />
            <div className="flex justify-end gap-2">
              <button type="button" className="btn" onClick={() => setSure(false)}>{text.common.cancel}</button>
              <button type="button" className="btn btn-danger" onClick={() => remove.mutate(undefined, { onSuccess: () => setSure(false) })}>{text.common.delete}</button>
            </div>
          </div>
        </Dialog>
      )}
    </li>
  );
}

interface Progress {
  done: number;
  total: number;
}

/** Bring the index of a folder up to date, and tell how far it has come. */
async function index(path: string, told: (progress: Progress) => void): Promise<void> {
  const response = await reach(`${path}/index`, { method: "POST", headers: { Accept: "text/event-stream" } });
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const step = JSON.parse(data) as Progress & { message?: string };
      if (event === "error") throw new Error(step.message);
      told(step);
    },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(part.value);
}

function Drop({ path, added }: { path: string; added: () => void }) {
  const text = useText();
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const add = useChange(async (files: File[]) => {
    const body = new FormData();
    for (const file of files) body.append("files", file);
    const response = await fetch(`${path}/files`, { method: "POST", body });
    if (!response.ok) throw await errorOf(response);
    const uploaded = (await response.json()) as Uploaded;
    await index(path, setProgress).finally(() => setProgress(null));
    return uploaded;
  }, "folders", "files");
  const again = useChange(() => index(path, setProgress).finally(() => setProgress(null)), "folders", "files");
  const send = (files: FileList | null) => {
    // Each of them says what became of it.
    if (files?.length) add.mutate([...files], { onSuccess: added });
    if (chooser.current) chooser.current.value = "";
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    send(event.dataTransfer.files);
  };
  const busy = add.isPending || again.isPending;
  return (
    <div className="px-4 pb-4">
      <div
        onDrop={drop}
        onDragOver={(event) => { event.preventDefault(); setOver(true); }}
        onDragLeave={() => setOver(false)}
        className={`flex flex-wrap items-center justify-center gap-3 rounded-lg border border-dashed px-4 py-5 text-[14px] text-ink-2 ${over ? "border-accent bg-accent-soft" : "border-line-strong"}`}
      >
        <Upload size={18} aria-hidden />
        <span>{text.folders.drop}</span>
        <button type="button" className="btn" disabled={busy} onClick={() => chooser.current?.click()}>{text.folders.choose}</button>
        <input ref={chooser} type="file" multiple hidden onChange={(event) => send(event.target.files)} />
        <button type="button" className="btn btn-quiet" disabled={busy} onClick={() => again.mutate()}><RefreshCw size={15} aria-hidden />{text.folders.index}</button>
      </div>
      <p role="status" className="num mt-2 text-[13px] text-ink-3 empty:hidden">
        {progress ? text.live.indexing(progress.done, progress.total) : busy ? text.folders.indexing : ""}
      </p>
      <Told error={add.error ?? again.error} />
      {add.data && add.data.refused.length > 0 && (
        <div role="alert"><ul className="mt-2 space-y-1 text-[13px]">
          {add.data.refused.map((each) => (
            <li key={each.name} className="flex gap-2 text-bad"><CircleX size={15} className="mt-0.5 shrink-0" aria-hidden />{each.message.includes(each.name) ? each.message : `${each.name}: ${each.message}`}</li>
          ))}
        </ul></div>
      )}
    </div>
  );
}

function Files({ folder, path, manages }: { folder: Folder; path: string; manages: boolean }) {
  const text = useText();
  const files = useQuery({ queryKey: ["files", folder.id], queryFn: () => data(service.GET("/v1/folders/{folder_id}/files", { params: { path: { folder_id: folder.id }, query: { limit: 1000 } } })) });
  const remove = useChange((name: string) => json<void>("DELETE", `${path}/files/${name.split("/").map(encodeURIComponent).join("/")}`), "files", "folders");
  if (files.isPending) return <div className="px-4 pb-4"><Loading /></div>;
  if (files.error) return <div className="px-4 pb-4"><Told error={files.error} /></div>;
  if (files.data.files.length === 0) return <p className="px-4 pb-4 text-[14px] text-ink-2">{text.folders.noFiles}</p>;
  return (
    <ul className="max-h-96 divide-y divide-line overflow-auto border-t border-line px-4 text-[14px]">
      {files.data.files.map((file) => {
        const good = file.status === null || file.status === "ok" || file.status === "provided";
        const Icon = good ? CircleCheck : CircleX;
        return (
          <li key={file.path} className="flex items-center gap-3 py-2">
            <Icon size={16} className={`shrink-0 ${file.status === null ? "text-ink-3" : good ? "text-good" : "text-bad"}`} aria-hidden />
            <span className="min-w-0 flex-1 break-words">
              {good && file.status !== null ? (
                <Link to="/folders/$id/files/$" params={{ id: folder.id, _splat: file.path }} className="text-ink hover:text-accent hover:underline">{file.path}</Link>
              ) : (
                file.path
              )}
              {!good && <span className="block text-[13px] text-bad">{text.source.statuses[file.status!]}{file.reason && `: ${file.reason}`}</span>}
            </span>
            <span className="num shrink-0 text-[13px] text-ink-3">{text.folders.passages(file.passages)}</span>
            {manages && <button type="button" className="grid size-8 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-sunken" aria-label={text.folders.deleteFile(file.path)} onClick={() => remove.mutate(file.path)}><Trash2 size={15} aria-hidden /></button>}
          </li>
        );
      })}
    </ul>
  );
}
