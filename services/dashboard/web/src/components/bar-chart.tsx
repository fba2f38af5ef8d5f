import "./bar-chart.css";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { barAt, barOf, rounded } from "./bar-scale.ts";

export type Bar = { key: string; label: string; value: number };

/**
 * Bars of sums that are zero or more. The pointer, a finger or the arrow keys choose a bar, and its value is shown and read out.
 * `label` names what is shown, `tick` shortens a value for the axis, and `words` says a bar in full.
 */
export function BarChart<Item extends Bar>(props: {
  label: string;
  bars: Item[];
  tick: (value: number) => string;
  words: (bar: Item) => string;
}) {
  const { label, bars, tick, words } = props;
  const [active, setActive] = useState<number>();
  const top = rounded(Math.max(...bars.map(({ value }) => value)));
  const last = bars.length - 1;
  const at = Math.min(active ?? last, last);
  const chosen = bars[at];
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setActive(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * bars.length))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = barAt(event.key, at, last);
    if (to === undefined) return;
    event.preventDefault();
    setActive(to);
  };
  return (
    <figure className="bars">
      <div className="bars-ticks" aria-hidden>
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{tick(value)}</span>
        ))}
      </div>
      <div
        className="bars-plot"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={bars.length}
        aria-valuenow={at + 1}
        aria-valuetext={chosen && words(chosen)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setActive(undefined)}
        onFocus={() => setActive((before) => before ?? last)}
        onBlur={() => setActive(undefined)}
        onKeyDown={onKeyDown}
      >
        <Bars bars={bars} top={top} active={active} />
        {active !== undefined && chosen && (
          <span className="bars-value" aria-hidden>
            {words(chosen)}
          </span>
        )}
      </div>
      <Days bars={bars} />
    </figure>
  );
}

function Bars({ bars, top, active }: { bars: Bar[]; top: number; active: number | undefined }) {
  return (
    <svg viewBox={`0 0 ${bars.length * 10} 100`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map(({ key, value }, place) => (
        <rect
          key={key}
          x={place * 10 + 1.5}
          width={7}
          {...barOf(value, top)}
          data-active={place === active || undefined}
        />
      ))}
    </svg>
  );
}

/** The labels of the last bar and of about five before it. */
function Days({ bars }: { bars: Bar[] }) {
  const step = Math.ceil(bars.length / 6);
  return (
    <div className="bars-days" aria-hidden>
      {bars.map(({ key, label }, place) =>
        (bars.length - 1 - place) % step === 0 ? (
          <span key={key} style={{ left: `${((place + 0.5) / bars.length) * 100}%` }}>
            {label}
          </span>
        ) : null,
      )}
    </div>
  );
}
