type Option<Value> = {
  value: Value
  label: string
  /** Beside the label, such as a price. */
  note?: string | undefined
}

type Props<Value> = {
  legend: string
  name: string
  options: Option<Value>[]
  /** The value of the checked option. */
  chosen: Value | undefined
  onChoose: (value: Value) => void
}

/** A choice of one of a few options. */
export const RadioGroup = <Value extends string>({
  legend,
  name,
  options,
  chosen,
  onChoose,
}: Props<Value>) => (
  <fieldset className="space-y-2">
    <legend className="text-lg">{legend}</legend>
    {options.map(({ value, label, note }) => (
      <label key={value} className="flex items-center gap-3">
        <input
          type="radio"
          name={name}
          value={value}
          checked={value === chosen}
          onChange={() => onChoose(value)}
          className="radio"
        />
        <span className="wrap-anywhere min-w-0 flex-1">{label}</span>
        {note !== undefined && <span>{note}</span>}
      </label>
    ))}
  </fieldset>
)
