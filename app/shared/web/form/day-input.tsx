import { Labelled } from './labelled.tsx'

type Props = { name: 'from' | 'to'; label: string; day?: string }

/** One end of a span of days that narrows a list. */
export const DayInput = ({ name, label, day }: Props) => (
  <Labelled label={label}>
    {(id) => (
      <input id={id} type="date" name={name} defaultValue={day} className="input w-full sm:w-40" />
    )}
  </Labelled>
)
