/** The content of an e-mail, from which its text and its HTML are made. */

export type TableLine = { name: string; detail?: string; amount: string }
export type TableSum = { label: string; amount: string; isTotal?: boolean }

export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'button'; label: string; url: string }
  /** Names and values, such as the time of a sign-in. */
  | { type: 'details'; rows: [name: string, value: string][] }
  /** The lines of an order and its sums. */
  | { type: 'table'; lines: TableLine[]; sums: TableSum[] }

export type Content = {
  /** Shown beside the subject in lists of e-mails. */
  preview: string
  heading: string
  greeting: string
  blocks: Block[]
  /** Why the recipient gets this e-mail. */
  reason: string
}

export const paragraph = (text: string): Block => ({ type: 'paragraph', text })
