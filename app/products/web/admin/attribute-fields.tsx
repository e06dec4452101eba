import { Link } from 'react-router'
import { Card } from '#app/back-office/kit/card.tsx'
import { Field, NumberField, Row, Select } from '#app/back-office/kit/fields.tsx'
import type { Option } from '#app/back-office/kit/list-query.ts'
import { type Attribute, MAX_ATTRIBUTE_TEXT } from '#app/products/attribute-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { fieldOfAttribute } from './product-form.ts'

const NONE: Option = { value: '', label: 'Not given' }
const YES_OR_NO: Option[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

/** The values of attributes that a product has. */
export function AttributeFields({ attributes }: { attributes: Attribute[] }) {
  const define = (text: string) => (
    <Link to={href('/dashboard/admin/attributes')} className="link">
      {text}
    </Link>
  )
  if (attributes.length === 0)
    return (
      <p className="px-4 text-base-content/75">
        Facts such as the material, shown on the page of a product and to narrow lists by:{' '}
        {define('define attributes')}
      </p>
    )
  return (
    <Card title="Attributes" tools={define('Define attributes')}>
      <Row>
        {attributes.map((attribute) => (
          <Value key={attribute._id} {...attribute} />
        ))}
      </Row>
    </Card>
  )
}

function Value({ _id, name: label, kind, unit, choices }: Attribute) {
  const name = fieldOfAttribute(_id)
  if (kind === 'text') return <Field label={label} name={name} maxLength={MAX_ATTRIBUTE_TEXT} />
  if (kind === 'number')
    return (
      <NumberField
        label={label}
        name={name}
        step="any"
        min={undefined}
        {...(unit !== null && { unit })}
      />
    )
  const options =
    kind === 'yes_no' ? YES_OR_NO : choices.map((one) => ({ value: one._id, label: one.name }))
  return <Select label={label} name={name} options={[NONE, ...options]} />
}
