import { type FocusEvent, type MouseEvent, useId, useRef } from "react";
import { ChevronDown } from "lucide-react";

/** Between the list and the edge of the window. */
const MARGIN = 12;

/** A button that opens a list of choices; the list closes when one is taken, or the focus goes elsewhere. */
export function Menu({ label, children }: { label: React.ReactNode; children: React.ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const toggle = (event: MouseEvent) => {
    event.preventDefault(); // here, to be placed before it is painted
    const from = button.current!.getBoundingClientRect();
    const shown = list.current!;
    shown.togglePopover();
    shown.style.left = `${Math.min(from.left, window.innerWidth - shown.offsetWidth - MARGIN)}px`;
    shown.style.top = `${Math.max(MARGIN, Math.min(from.bottom + 6, window.innerHeight - shown.offsetHeight - MARGIN))}px`;
  };
  const left = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && relatedTarget !== button.current && !currentTarget.contains(relatedTarget)) list.current!.hidePopover();
  };
  return (
    <>
      <button ref={button} type="button" className="btn" popoverTarget={id} onClick={toggle}>
        {label}
        <ChevronDown size={15} aria-hidden />
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className="fixed max-h-[calc(100dvh-1.5rem)] min-w-44 overflow-y-auto rounded-xl border border-line bg-surface p-1.5 shadow-card"
        onClick={() => list.current?.hidePopover()}
        onBlur={left}
      >
        {children}
      </div>
    </>
  );
}
