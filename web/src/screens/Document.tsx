/** A document of a folder as runs read it, with the words marked that the sentences of a run rest on. */
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { Link, getRouteApi } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Download } from "lucide-react";
import { reach } from "@/api/client";
import { json } from "@/api/kept";
import { directionOf, useText } from "@/i18n";
import { type Stretch, blocksOf, flowing, stretchesOf } from "@/log/quoted";
import { useFollowed } from "@/log/useRun";
import { sentencesOf } from "@/log/view";
import { inFolder } from "@/parts/answer";
import { Inline } from "@/parts/Inline";
import { Mark } from "@/parts/Mark";
import { Page } from "@/parts/Shell";
import { Banner, Failed, Loading } from "@/parts/states";

const route = getRouteApi("/folders/$id/files/$");

interface Read {
  /** Where the text was read; with `original=true`, the file itself. */
  address: string;
  text: string;
  /** SHA-256 of the text, as citations name it. */
  hash: string;
}

export default function DocumentScreen() {
  const { id, _splat: path = "" } = route.useParams();
  const { run, place } = route.useSearch();
  const text = useText();
  const file = useQuery({ queryKey: ["text", id, path, place], queryFn: () => read(id, path, place), retry: false });
  const title = path.split("/").at(-1) || id;
  if (file.error) return <Failed error={file.error} retry={() => void file.refetch()} />;
  if (!file.data) return <Page title={text.common.loading}><Loading rows={12} /></Page>;
  return (
    <Page title={title} wide>
      {run ? <Cited run={run} folder={id} path={path} read={file.data} /> : <Plain path={path || id} read={file.data} />}
    </Page>
  );
}

/** Return the text of a file; of a folder that is one file, that one. */
async function read(folder: string, path: string, place: string | undefined): Promise<Read> {
  const files = `/v1/folders/${encodeURIComponent(folder)}/files`;
  const name = path || (await json<{ files: { path: string }[] }>("GET", `${files}?limit=1`)).files[0]?.path || "";
  const within = name.split("/").map(encodeURIComponent).join("/");
  const address = `${files}/${within}`;
  const answer = await reach(`${address}${place ? `?place=${encodeURIComponent(place)}` : ""}`);
  return { address, text: await answer.text(), hash: answer.headers.get("etag")?.replaceAll('"', "") ?? "" };
}

const shown = (name: string, text: string) => (/\.(md|markdown)$/i.test(name) ? flowing(text) : text);

function Plain({ path, read }: { path: string; read: Read }) {
  const text = useText();
  return (
    <>
      <Heading title={path.split("/").at(-1) || path} address={read.address} back={<Link to="/folders" className={BACK}><Arrow />{text.folders.title}</Link>} />
      <Text text={shown(path, read.text)} stretches={[]} />
    </>
  );
}

interface CitedProps {
  run: string;
  folder: string;
  path: string;
  read: Read;
}

function Cited({ run, folder, path, read }: CitedProps) {
  const text = useText();
  const { s, c, place } = route.useSearch();
  const { view, link, error } = useFollowed(run);
  const here = (url: string) => {
    const at = inFolder(url);
    return at !== null && at.folder === folder && at.path === path && at.place === (place ?? "");
  };
  const stretches = useMemo(() => stretchesOf(sentencesOf(view), view.evidence, here, read.text), [view, folder, path, place, read.text]);
  const changed = view.report?.citations.some((each) => here(each.url) && each.content_hash && each.content_hash !== read.hash);
  const lost = stretches.some((each) => each.start < 0 && (!s || each.place === s));
  return (
    <>
      <Heading title={path || folder} address={read.address} back={<Link to="/runs/$id" params={{ id: run }} search={{ s, c }} className={BACK}><Arrow />{text.trace.report}</Link>} />
      <div className="grid gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <article className="min-w-0 max-xl:order-last">
          {(changed || lost) && <div className="mb-5"><Banner tone="part">{lost ? text.document.lost : text.document.changed}</Banner></div>}
          <Text text={shown(path || folder, read.text)} stretches={stretches} selected={s} />
        </article>
        <aside className="xl:sticky xl:top-20 xl:max-h-[calc(100dvh-6rem)] xl:self-start xl:overflow-auto xl:border-s xl:border-line xl:ps-8">
          {link === "refused" && error && <Banner tone="bad">{error.message}</Banner>}
          <h2 className="eyebrow mb-2">{text.document.rests} <span className="num font-normal">{stretches.length || ""}</span></h2>
          <Sentences stretches={stretches} selected={s} />
        </aside>
      </div>
    </>
  );
}

const BACK = "inline-flex shrink-0 items-center gap-1.5 py-1 text-[13px] font-medium text-accent";
const Arrow = () => <ArrowLeft size={15} className="rtl:rotate-180" aria-hidden />;

/** The way back stays in sight, as the text is shown from its quote on. */
function Heading({ title, address, back }: { title: string; address: string; back: ReactNode }) {
  const text = useText();
  return (
    <header className="sticky top-0 z-10 -mx-4 mb-5 flex flex-wrap items-baseline gap-x-4 border-b border-line bg-paper px-4 py-2 sm:-mx-8 sm:px-8">
      {back}
      <h1 className="min-w-0 truncate text-[16px] font-semibold">{title}</h1>
      <a href={`${address}?original=true`} download className="ms-auto inline-flex shrink-0 items-center gap-1.5 py-1 text-[13px] font-medium text-accent">
        <Download size={15} aria-hidden />{text.document.original}
      </a>
    </header>
  );
}

/** What the answer says on the strength of this document; each leads to the words that it rests on. */
function Sentences({ stretches, selected }: { stretches: Stretch[]; selected: number | undefined }) {
  return (
    <ul className="space-y-1">
      {stretches.map(({ place, sentence }, at) => (
        <li key={at}>
          <Link
            to="."
            search={(now) => ({ ...now, s: place, c: undefined })}
            replace
            resetScroll={false}
            aria-current={place === selected ? "true" : undefined}
            dir={directionOf(sentence.text)}
            className={`flex gap-2 rounded-lg px-2.5 py-2 text-[14px] leading-snug text-ink no-underline ${place === selected ? "bg-accent-soft" : "hover:bg-sunken"}`}
          >
            <span className="mt-0.5 shrink-0"><Mark support={sentence.support} size={15} /></span>
            <span className="min-w-0 break-words"><Inline text={sentence.text} /></span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Text({ text, stretches, selected }: { text: string; stretches: Stretch[]; selected?: number | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  const blocks = useMemo(() => blocksOf(text, stretches), [text, stretches]);
  useEffect(() => {
    const first = selected ? `[data-of~="${selected}"]` : "mark";
    box.current?.querySelector(first)?.scrollIntoView?.({ block: "center" });
  }, [selected, blocks]);
  return (
    <div ref={box} className="max-w-[95ch] text-[14.5px] leading-[1.65] break-words whitespace-pre-wrap" dir={directionOf(text.slice(0, 500))} data-document>
      {blocks.map((pieces, block) => (
        <div key={block} className="[contain-intrinsic-size:auto_1200px] [content-visibility:auto]">
          {pieces.map((piece, at) => {
            if (piece.of.length === 0) return piece.text;
            const places = [...new Set(piece.of.map((each) => stretches[each]!.place))];
            return <mark key={at} data-of={places.join(" ")} data-selected={selected !== undefined && places.includes(selected)}>{piece.text}</mark>;
          })}
        </div>
      ))}
    </div>
  );
}
