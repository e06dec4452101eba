import type { TSchema } from 'typebox'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'

/** Contracts, and payment providers, which may have calls of their own. */
const files = import.meta.glob<Record<string, unknown>>(
  ['/app/*/*contract.ts', '/app/payments/server/providers/*.ts', '!**/*.test.ts'],
  { eager: true },
)

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/** Every declared call by name. */
export const declared: [name: string, call: Endpoint][] = Object.values(files)
  .flatMap((file) => Object.values(file))
  .flatMap((contract) => Object.entries(contract ?? {}))
  .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))

const AN_ID = '0197f9a0-0000-7000-8000-000000000000'

/** A well-formed value of a parameter: the first of an enumeration, else an id. */
function parameterOf(params: TSchema | undefined, name: string): string {
  if (name === 'page') return '1'
  const [first] = Object(Object(params).properties?.[name]).enum ?? []
  return first ?? AN_ID
}

/** The path of a call below /api/v1, with well-formed parameters. */
export const addressOf = ({ path, params }: Endpoint) =>
  path.replace(/:(\w+)/g, (_, name: string) => parameterOf(params, name))

/** The property names of an object schema. */
export const fieldsOf = (schema: TSchema | undefined): string[] =>
  schema && 'properties' in schema ? Object.keys(Object(schema.properties)) : []
