/** The list of keys. */
import { useText } from "@/i18n";
import { Dialog } from "./Shell";

export default function KeyHelp({ close }: { close: () => void }) {
  const text = useText();
  const groups = [
    [
      text.keys.anywhere,
      [
        ["?", text.keys.show],
        [`${text.keys.control} K`, text.keys.palette],
        ["g a", text.keys.ask],
        ["g r", text.keys.runs],
        ["Esc", text.keys.escape],
      ],
    ],
    [
      text.keys.report,
      [
        ["j", text.keys.next],
        ["k", text.keys.previous],
        ["c", text.keys.cite],
        ["o", text.keys.open],
        ["t", text.keys.trace],
        ["v", text.keys.filter],
        ["y", text.keys.copy],
      ],
    ],
  ] as const;
  return (
    <Dialog label={text.keys.title} close={close}>
      <div className="p-6">
        <h2 className="mb-4 text-lg font-semibold">{text.keys.title}</h2>
        {groups.map(([name, keys]) => (
          <section key={name} className="mb-5">
            <h3 className="eyebrow mb-2">{name}</h3>
            <dl className="grid grid-cols-[5.5rem_1fr] gap-y-2">
              {keys.map(([key, meaning]) => (
                <div key={key} className="contents">
                  <dt>
                    <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-sans text-[13px]">{key}</kbd>
                  </dt>
                  <dd className="text-ink-2">{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <button type="button" className="btn" onClick={close}>{text.common.close}</button>
      </div>
    </Dialog>
  );
}
