/** The key of the buyer's choices in the storage of the tab. */
export const CHOICES_KEY = 'checkout'

/** The storage of a tab may be full or blocked: then choices last as long as the page. */
export function tryTo<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Whether this tab has stored choices. */
export const hasChoices = () => typeof tryTo(() => sessionStorage.getItem(CHOICES_KEY)) === 'string'
