import { atomWithStorage } from 'jotai/utils'
import type { Choices } from '../choices-contract.ts'

/** The buyer's choices in this tab; each has a value, so that a component can show it. */
export type BuyerChoices = Required<Choices>

const KEY = 'checkout'

export const NO_CHOICES: BuyerChoices = { couponCodes: [] }

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** The valid part of a stored value. */
export function cleanChoices(stored: unknown): BuyerChoices {
  const { couponCodes }: { [Name in keyof BuyerChoices]?: unknown } = Object(stored)
  return { couponCodes: texts(couponCodes) }
}

/** The storage of a tab may be full or blocked: then choices last as long as the page. */
function tryTo<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** The buyer's choices beside the cart, stored until the tab is closed. */
export const choicesAtom = atomWithStorage<BuyerChoices>(
  KEY,
  NO_CHOICES,
  {
    getItem: () => cleanChoices(tryTo(() => JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))),
    setItem: (_, value) => tryTo(() => sessionStorage.setItem(KEY, JSON.stringify(value))),
    removeItem: () => tryTo(() => sessionStorage.removeItem(KEY)),
  },
  { getOnInit: true },
)
