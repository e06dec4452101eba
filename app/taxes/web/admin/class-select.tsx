import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { STANDARD_CLASS, type TaxClass } from '#app/taxes/admin-contract.ts'

type Props = {
  label: string
  name: string
  classes: TaxClass[]
  /** The chosen value: the id of a class, or empty for Standard. */
  chosen: string
  /** A first choice beside the classes. */
  other?: { value: string; label: string }
}

/** A select of a tax class; the value of Standard is empty. */
export const ClassSelect = ({ label, name, classes, chosen, other }: Props) => (
  <Labelled label={label} name={name}>
    {(id, problem) => (
      <select
        {...problem}
        id={id}
        name={name}
        defaultValue={chosen}
        className="select w-full bg-base-200 aria-invalid:border-error"
      >
        {other && <option value={other.value}>{other.label}</option>}
        <option value="">{STANDARD_CLASS}</option>
        {classes.map((one) => (
          <option key={one._id} value={one._id}>
            {one.name}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)
