import { useEffect } from "react";
import type { Option, OptionGroup } from "./palette-options.ts";

type OptionsProps = {
  id: string;
  groups: OptionGroup[];
  isBusy: boolean;
  active: Option | undefined;
  onActive: (option: Option) => void;
  onChoose: (option: Option) => void;
};

/** The listbox of the command palette. Its options never have the focus, which stays in the field. */
export function PaletteOptions({ id, groups, isBusy, active, onActive, onChoose }: OptionsProps) {
  const options = groups.flatMap((group) => group.options);
  const activeId = active && `${id}-${options.indexOf(active)}`;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    <div role="listbox" id={`${id}-list`} aria-label="Results" aria-busy={isBusy} className="palette-list">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot group the options of a listbox.
        <div key={group.name} role="group" aria-label={group.name}>
          <div className="palette-group" aria-hidden>
            {group.name}
          </div>
          {group.options.map((option) => (
            <PaletteOption
              key={option.to}
              id={`${id}-${options.indexOf(option)}`}
              option={option}
              isActive={option === active}
              onActive={() => onActive(option)}
              onChoose={() => onChoose(option)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function PaletteOption(props: {
  id: string;
  option: Option;
  isActive: boolean;
  onActive: () => void;
  onChoose: () => void;
}) {
  const { amount, label, details = [] } = props.option;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      role="option"
      id={props.id}
      aria-selected={props.isActive}
      className="palette-option"
      onMouseMove={props.onActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onChoose}
    >
      <span className="palette-label">
        {amount && <span className="palette-amount">{amount} </span>}
        <bdi dir="auto">{label}</bdi>
      </span>
      <span className="palette-details">
        {details.map((detail, index) => (
          <span key={detail}>
            {index > 0 && " · "}
            <bdi dir="auto">{detail}</bdi>
          </span>
        ))}
      </span>
    </div>
  );
}
