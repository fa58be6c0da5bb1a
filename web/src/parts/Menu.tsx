import { useRef } from "react";
import { ChevronDown } from "lucide-react";

/** A button that opens a list of choices; the list closes when one is taken. */
export function Menu({ label, children }: { label: React.ReactNode; children: React.ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const toggle = () => {
    const from = button.current!.getBoundingClientRect();
    list.current!.togglePopover();
    list.current!.style.left = `${Math.min(from.left, window.innerWidth - list.current!.offsetWidth - 12)}px`;
    list.current!.style.top = `${from.bottom + 6}px`;
  };
  return (
    <>
      <button ref={button} type="button" className="btn" aria-haspopup="true" onClick={toggle}>
        {label}
        <ChevronDown size={15} aria-hidden />
      </button>
      <div ref={list} popover="auto" className="fixed min-w-44 rounded-xl border border-line bg-surface p-1.5 shadow-card" onClick={() => list.current?.hidePopover()}>
        {children}
      </div>
    </>
  );
}
