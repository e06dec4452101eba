/** The key of the buyer's choices in the storage of the tab. */
export const CHOICES_KEY = 'checkout'

/** Whether this tab has stored choices. Its storage may be blocked. */
export function hasChoices(): boolean {
  try {
    return sessionStorage.getItem(CHOICES_KEY) !== null
  } catch {
    return false
  }
}
