/** The places of a call where a value stands, and the requests that put one there. */
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import type { Node } from '#tests/fuzz/values.ts'
import type { Attempt } from './http.ts'
import type { Owner } from './people.ts'
import { propertiesOf, requestFor } from './requests.ts'

export type Place = { what: string; schema: Node; attempt: (value: string) => Attempt }

const inPath = (endpoint: Endpoint, name: string, owner: Owner) => (value: string) => {
  const { path, ...attempt } = requestFor(endpoint, owner)
  const parts = endpoint.path.split('/')
  const sent = path.split('?')[0]?.split('/') ?? []
  sent[parts.indexOf(`:${name}`) + 2] = encodeURIComponent(value)
  return { ...attempt, path: sent.join('/') }
}

const inQuery = (endpoint: Endpoint, name: string, owner: Owner) => (value: string) => {
  const { path, ...attempt } = requestFor(endpoint, owner)
  const [plain, query] = path.split('?')
  const search = new URLSearchParams(query)
  search.set(name, value)
  return { ...attempt, path: `${plain}?${search}` }
}

const inBody = (endpoint: Endpoint, name: string, owner: Owner) => (value: string) =>
  requestFor(endpoint, owner, { [name]: value })

/** Every place of a call where a value stands. */
export const placesOf = (endpoint: Endpoint, owner: Owner): Place[] => {
  const { params, query, body } = endpoint
  const place =
    (at: typeof inBody) =>
    ([name, schema]: [string, Node]) => ({
      ...{ what: name, schema, attempt: at(endpoint, name, owner) },
    })
  const placed = [
    ...propertiesOf(params).map(place(inPath)),
    ...propertiesOf(query).map(place(inQuery)),
    ...propertiesOf(body).map(place(inBody)),
  ]
  return placed
}
