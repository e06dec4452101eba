import { Labelled } from './labelled.tsx'

type Props = { name: 'from' | 'to'; label: string; day?: string }

/** A date field of a filter. */
export const DayInput = ({ name, label, day }: Props) => (
  <Labelled label={label}>
    {(id) => (
      <input id={id} type="date" name={name} defaultValue={day} className="input w-full sm:w-40" />
    )}
  </Labelled>
)
