import { useState } from "react";
import { Check, Copy } from "lucide-react";
import { useText } from "@/i18n";

const SHOWN_MS = 1_800;

export function CopyButton({ label, content, quiet = false }: { label?: string; content: () => string; quiet?: boolean }) {
  const text = useText();
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(content());
    setDone(true);
    setTimeout(() => setDone(false), SHOWN_MS);
  };
  const Icon = done ? Check : Copy;
  return (
    <button type="button" className={`btn ${quiet ? "btn-quiet text-[13px]" : ""}`} onClick={() => void copy()}>
      <Icon size={quiet ? 15 : 16} aria-hidden />
      <span aria-live="polite">{done ? text.common.copied : (label ?? text.common.copy)}</span>
    </button>
  );
}
