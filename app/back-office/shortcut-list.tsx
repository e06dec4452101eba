import { Dialog } from '#app/shared/web/dialog.tsx'
import { useStore } from '#app/shared/web/storage.ts'
import { Checkbox } from './kit/fields.tsx'
import { MENU } from './menu.ts'
import { singleKeysAtom } from './shortcuts.ts'

const SHORTCUTS: [keys: string, what: string][] = [
  ['⌘K or Ctrl K', 'Search everything'],
  ...MENU.flat().flatMap(({ key, label }): [string, string][] =>
    key ? [[`G, then ${key.toUpperCase()}`, label]] : [],
  ),
  ['/', 'Search in the list'],
  ['↑ or ↓', 'Row before or after'],
  ['Space', 'Select the row'],
  ['Enter', 'Open the row'],
  ['⌘S or Ctrl S', 'Save the form'],
  ['Esc', 'Close'],
  ['?', 'Show these shortcuts'],
]

/** The shortcuts of the back office. Those without a modifier can be turned off. */
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
        {SHORTCUTS.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt className="font-medium">{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-4">
        <Checkbox
          label="Use keys without ⌘ or Ctrl"
          checked={useStore(singleKeysAtom)}
          onChange={({ target }) => singleKeysAtom.set(target.checked)}
        />
        <button type="button" onClick={onClose} className="btn">
          Close
        </button>
      </div>
    </Dialog>
  )
}
