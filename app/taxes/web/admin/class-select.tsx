import { type Option, Select } from '#app/shared/web/form/select.tsx'
import { STANDARD_CLASS, type TaxClass } from '#app/taxes/admin-contract.ts'

type Props = {
  label: string
  name: string
  classes: TaxClass[]
  /** The chosen value: the id of a class, or empty for Standard. */
  chosen: string
  /** A first choice beside the classes. */
  other?: Option
}

/** A select of a tax class; the value of Standard is empty. */
export const ClassSelect = ({ label, name, classes, chosen, other }: Props) => (
  <Select
    label={label}
    name={name}
    defaultValue={chosen}
    options={[
      ...(other ? [other] : []),
      { value: '', label: STANDARD_CLASS },
      ...classes.map(({ _id, name }) => ({ value: _id, label: name })),
    ]}
  />
)
