/** A link to a report, for whoever gets it. */
import { useEffect } from "react";
import { useRunActions } from "@/api/queries";
import { useText } from "@/i18n";
import { CopyButton } from "./CopyButton";
import { Dialog } from "./Shell";
import { Told } from "./states";

export function Sharing({ runId, close }: { runId: string; close: () => void }) {
  const text = useText();
  const { share, unshare } = useRunActions(runId);
  useEffect(() => share.mutate(), []);
  const link = share.data && `${window.location.origin}/shared/${share.data.url.split("/").at(-1)}`;
  return (
    <Dialog label={text.report.share} close={close}>
      <div className="space-y-4 p-6">
        <h2 className="text-lg font-semibold">{text.report.share}</h2>
        <p className="text-ink-2">{text.report.shareWhy}</p>
        {link && <input readOnly className="field font-mono text-[13px]" value={link} aria-label={text.report.share} onFocus={(event) => event.target.select()} />}
        <Told error={share.error ?? unshare.error} />
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-danger" onClick={() => unshare.mutate(undefined, { onSuccess: close })}>{text.report.unshare}</button>
          {link && <CopyButton content={() => link} />}
        </div>
      </div>
    </Dialog>
  );
}
