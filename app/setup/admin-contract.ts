/** The checklist of a new shop, for its admins. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { LEGAL_PAGES } from '../shared/contract/public-settings.ts'

/** The steps of setting up a shop, in order. */
export const STEPS = [
  'brand',
  'contact',
  'product',
  'slides',
  'texts',
  'payments',
  'email',
  'address',
  'legal',
] as const
export type StepName = (typeof STEPS)[number]

export const Step = Type.Object({
  name: Type.Enum([...STEPS]),
  isDone: Type.Boolean({ description: 'As the shop is now' }),
  missing: Type.Optional(
    Type.Array(Type.Enum([...LEGAL_PAGES]), {
      description:
        "Of legal: the texts that the law of the shop's country asks for, and that are missing",
    }),
  ),
})
export type Step = Static<typeof Step>

/** A finding of the doctor, as `npm run shop -- doctor` prints it. */
export const ListedFinding = Type.Object({
  state: Type.Enum(['ok', 'warning', 'problem']),
  about: Type.String(),
  found: Type.String(),
  advice: Type.Optional(Type.String()),
})
export type ListedFinding = Static<typeof ListedFinding>

export const checklistCalls = {
  getChecklist: endpoint({
    method: 'GET',
    path: '/setup/checklist',
    access: 'admin',
    summary: 'The steps of setting up the shop, and which of them are done; none in a demo',
    answer: Type.Array(Step),
  }),
  getFindings: endpoint({
    method: 'GET',
    path: '/setup/findings',
    access: 'admin',
    summary: 'What the doctor finds in the running shop, up to a minute old',
    answer: Type.Array(ListedFinding),
  }),
} satisfies Contract

/** The checklist is a part of the dashboard. */
