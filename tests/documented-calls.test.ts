import { expect, it } from 'vitest'
import { declared } from './support/declared.ts'
import { documentedCalls } from './support/documented-calls.ts'

const calls = declared.map(([, { access, method, path }]) => `${access} ${method} ${path}`)

it('the specification and docs/api.md have each declared call, and who may make it', () => {
  expect(documentedCalls.toSorted()).toEqual(calls.toSorted())
})
