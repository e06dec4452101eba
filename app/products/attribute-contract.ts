/** Attributes: facts about products, such as their material. Lists are narrowed by those that are filterable. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import type { FieldProblem } from '../shared/contract/failure.ts'
import { Done, FilledName, Id, Nullable, Text, Timestamp } from '../shared/contract/fields.ts'

export const MAX_ATTRIBUTES = 100
/** The choices of an attribute. */
export const MAX_CHOICES = 200
/** Shown when the attributes could not be loaded. */
export const ATTRIBUTES_FAILED = 'The attributes could not be loaded.'
/** The characters of a text as a value. */
export const MAX_ATTRIBUTE_TEXT = 200

export const ATTRIBUTE_KINDS = ['choice', 'number', 'yes_no', 'text'] as const
export type AttributeKind = (typeof ATTRIBUTE_KINDS)[number]

const fields = {
  name: FilledName(50),
  unit: Nullable({ ...FilledName(20), description: 'Of a number, such as kg' }),
  isFilterable: Type.Boolean({ description: 'Whether lists are narrowed by it' }),
}

const Choice = Type.Object({ _id: Id, name: FilledName(100) })

export const Attribute = Type.Object({
  _id: Id,
  kind: Type.Enum([...ATTRIBUTE_KINDS]),
  ...fields,
  choices: Type.Array(Choice, { description: 'In the order in which they are shown' }),
  products: Type.Integer({ description: 'How many have a value of it' }),
  updatedAt: Timestamp,
})
export type Attribute = Static<typeof Attribute>

const SentChoices = Type.Array(
  Type.Object({
    _id: Type.Optional({ ...Id, description: 'Of one that is there' }),
    name: Choice.properties.name,
  }),
  { maxItems: MAX_CHOICES, description: 'All choices in their order; those left out are removed' },
)

const AttributeForm = Type.Object({
  kind: Attribute.properties.kind,
  ...fields,
  choices: SentChoices,
})
export type AttributeForm = Static<typeof AttributeForm>

/** The rules that a schema cannot express. */
function attributeProblems({
  name,
  kind,
  unit,
  choices: sent,
}: Partial<AttributeForm>): FieldProblem[] {
  // a file has a value as "Material: Oak"
  if (typeof name === 'string' && name.includes(':'))
    return [{ field: 'name', message: 'A name has no colon.' }]
  const choices = Array.isArray(sent) ? sent : []
  const names = choices.map((choice) => String(Object(choice).name).trim().toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined)
    return [{ field: 'choices', message: `The choice "${twice}" is there twice.` }]
  if (kind !== 'number' && unit) return [{ field: 'unit', message: 'Only a number has a unit.' }]
  if (kind === 'choice' && choices.length === 0)
    return [{ field: 'choices', message: 'Please enter at least one choice.' }]
  return kind !== 'choice' && choices.length > 0
    ? [{ field: 'choices', message: 'Only a choice has choices.' }]
    : []
}

/**
 * Values by the id of the attribute, as the back office has them: the id of a choice, a number such as 12.5, yes or
 * no, or a text. One that is missing or empty has no value.
 */
export const AttributeValues = Type.Record(Type.String(), Text({ maxLength: MAX_ATTRIBUTE_TEXT }))
export type AttributeValues = Static<typeof AttributeValues>

/** The values of a product as its form sends them. */
export const sentAttributes = Type.Optional(
  Text({
    maxLength: 50_000,
    description: 'All values as a JSON object, by the ids of attributes; without it they stay',
  }),
)

const ById = Type.Object({ id: Id })
const Saved = Type.Object({ ...Done.properties, attribute: Attribute })

export const attributeCalls = {
  getAttributes: endpoint({
    method: 'GET',
    path: '/product/attributes',
    access: 'admin',
    summary: 'All attributes by name, with their choices',
    answer: Type.Array(Attribute),
  }),
  createAttribute: endpoint({
    method: 'POST',
    path: '/product/attributes',
    access: 'admin',
    summary: 'Adds an attribute; names are compared without case',
    body: AttributeForm,
    rules: attributeProblems,
    answer: Saved,
    status: 201,
  }),
  updateAttribute: endpoint({
    method: 'PUT',
    path: '/product/attributes/:id',
    access: 'admin',
    summary: 'Changes an attribute but its kind; products lose a choice that is left out',
    params: ById,
    body: Type.Object({
      ...AttributeForm.properties,
      updatedAt: Type.Optional(
        Text({ maxLength: 40, description: 'As last read: refuses to save over a later edit' }),
      ),
    }),
    rules: attributeProblems,
    answer: Saved,
  }),
  deleteAttribute: endpoint({
    method: 'DELETE',
    path: '/product/attributes/:id',
    access: 'admin',
    summary: 'Deletes an attribute and its values',
    params: ById,
    answer: Done,
  }),
} satisfies Contract
