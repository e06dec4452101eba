/** What keys and pasted texts do in a grid. */
import type { KeyboardEvent } from 'react'

const STEPS: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Enter: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Whether an arrow leaves the text of a field: all of it is selected, or the caret is at its end. */
function leaves({ selectionStart, selectionEnd, value }: HTMLInputElement, step: number) {
  if (selectionStart === 0 && selectionEnd === value.length) return true
  return selectionStart === selectionEnd && selectionStart === (step < 0 ? 0 : value.length)
}

/** How many rows and columns a key moves from the cell of its field; null when it moves nowhere. */
export function stepOf(event: KeyboardEvent<HTMLInputElement>) {
  const [down, right] = STEPS[event.key] ?? [0, 0]
  const isMoved = down !== 0 || (right !== 0 && leaves(event.currentTarget, right))
  if (!isMoved || event.altKey || event.ctrlKey || event.metaKey) return null
  return { down: event.shiftKey ? -down : down, right }
}

/** The rows and cells of a text that was copied from a spreadsheet; null for one of a single cell. */
export function cellsIn(text: string): string[][] | null {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const cells = lines.map((line) => line.split('\t'))
  return cells.length === 1 && cells[0]?.length === 1 ? null : cells
}
