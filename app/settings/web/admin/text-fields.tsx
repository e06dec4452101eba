import { useState } from 'react'
import { LongText, useBeginning } from '#app/back-office/kit/fields.tsx'
import { useAnswer } from '#app/back-office/kit/loaded.tsx'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'

type Props = { label: string; name: string; hint?: string; preview: string }

/** A text in Markdown, with a preview that has the label `preview`. */
export function MarkdownField({ preview, ...field }: Props) {
  const [text, setText] = useState(String(useBeginning(field.name) ?? ''))
  const [isOpen, setOpen] = useState(false)
  // the text as its page shows it, made by the server while the preview is open
  const { answer, failure } = useAnswer(
    isOpen ? text : null,
    (call) => call(settingsAdminCalls.previewText, { body: { text } }),
    'The preview could not be made.',
  )
  return (
    <div className="space-y-2">
      <LongText {...field} rows={8} onChange={({ target }) => setText(target.value)} />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="cursor-pointer text-sm">{preview}</summary>
        <div className="markdown wrap-anywhere mt-2 space-y-3 rounded-field border border-base-300 p-4">
          {failure && <p role="alert">{failure}</p>}
          {answer ? <MarkdownText nodes={answer.nodes} /> : !failure && <p>Loading …</p>}
        </div>
      </details>
    </div>
  )
}
