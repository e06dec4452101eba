/** A second click sooner than this is the second half of a double click, and adds nothing. Read by tests, too. */
export const DOUBLE_CLICK_MS = 300
