import { useEffect, useState } from 'react'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { TEXT_PAGES, type TextNode, type TextPage } from '#app/settings/contract.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'
import { abortable } from '#app/shared/web/browser-call.ts'
import { messageOf } from '#app/shared/web/call.ts'
import { TextArea } from '#app/shared/web/form/text-area.tsx'
import { Section } from './section.tsx'
import type { Draft } from './settings-draft.ts'

const LABELS: Record<TextPage, string> = {
  about: 'Text of About',
  contact: 'Text of Contact',
  policy: 'Text of Policy',
}

/** The texts of the information pages, each with a preview. */
export function TextFields({ draft: { settings, field } }: { draft: Draft }) {
  return (
    <Section title="Texts">
      <p className="text-base-content/75 text-sm">
        In Markdown: an empty line begins a paragraph, # a heading, - an entry of a list; **bold**,
        *italic*, [a link](https://example.com). HTML is left out.
      </p>
      {TEXT_PAGES.map((page) => (
        <div key={page} className="space-y-2">
          <TextArea label={LABELS[page]} rows={8} {...field(page)} />
          <TextPreview label={`Preview of ${page}`} text={settings[page]} />
        </div>
      ))}
    </Section>
  )
}

/** A pause in typing, in milliseconds, after which the preview is made. */
const PAUSE_MS = 400

type Preview = { nodes: TextNode[] } | { failure: string } | null

/** The text as its page shows it, made by the server while the preview is open. */
export function TextPreview({ label, text }: { label: string; text: string }) {
  const [isOpen, setOpen] = useState(false)
  const [preview, setPreview] = useState<Preview>(null)
  useEffect(() => {
    if (!isOpen) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      abortable(abort.signal)(settingsAdminCalls.previewText, { body: { text } }).then(
        setPreview,
        (error) => {
          if (!abort.signal.aborted)
            setPreview({ failure: messageOf(error, 'The preview could not be made.') })
        },
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [isOpen, text])
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-sm">{label}</summary>
      <div className="markdown wrap-anywhere mt-2 space-y-3 rounded-field border border-base-300 p-4">
        {preview === null && <p>Loading …</p>}
        {preview && 'failure' in preview && <p role="alert">{preview.failure}</p>}
        {preview && 'nodes' in preview && <MarkdownText nodes={preview.nodes} />}
      </div>
    </details>
  )
}
