import { expect, it } from 'vitest'
import {
  ACCESS,
  type Access,
  CALLER_KINDS,
  REFUSALS,
  refusalOf,
} from '#app/shared/contract/access.ts'
import { declared } from './support/declared.ts'
import { documentedCalls, documentedLevels } from './support/documented-calls.ts'

const calls = declared.map(([, { access, method, path }]) => `${access} ${method} ${path}`)

it('the specification and docs/api.md have each declared call, and who may make it', () => {
  expect(documentedCalls.toSorted()).toEqual(calls.toSorted())
})

it('docs/api.md says what each kind of caller gets at each access level', () => {
  const levels = Object.keys(ACCESS).map((level) => [
    level,
    ...CALLER_KINDS.map((kind) => {
      const refusal = refusalOf(level as Access, kind)
      return refusal ? `${REFUSALS[refusal]}` : 'passes'
    }),
  ])
  expect(documentedLevels).toEqual(levels)
})
