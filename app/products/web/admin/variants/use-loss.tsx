import { useState } from 'react'
import { useQuestion } from '#app/back-office/kit/form-dialog.tsx'
import { pluralize } from '#app/shared/web/texts.ts'
import type { Draft } from './draft.ts'
import { lossOf } from './option-edits.ts'
import type { useDraft } from './use-draft.ts'

type Loss = ReturnType<typeof lossOf>

/** Asks before an edit that removes variants. The dialog has a form of its own, so it is rendered outside theirs. */
export function useLoss({ draft, held, change }: ReturnType<typeof useDraft>) {
  const [asked, setAsked] = useState<{ what: string; loss: Loss } | null>(null)
  const question = useQuestion({
    title: `Remove ${asked?.what}?`,
    action: 'Remove',
    children: asked && <LossText loss={asked.loss} />,
  })
  const onLoss = async (what: string, next: Draft) => {
    const loss = lossOf(draft, next, held)
    setAsked({ what, loss })
    if (loss.variants > 0) {
      const isYes = await question.ask()
      if (!isYes || loss.areAll) return
    }
    change(next)
  }
  return { onLoss, dialog: question.dialog }
}

/** The loss with variants: their stock, and pieces in open payments. */
function LossText({ loss: { variants, stock, held, areAll } }: { loss: Loss }) {
  if (areAll)
    return 'These are all variants, and a product has at least one: nothing is removed now. To take it out of the shop, archive or delete the product.'
  return (
    <>
      {pluralize(variants, 'variant', false)} with {stock.toLocaleString('en-US')} in stock{' '}
      {variants === 1 ? 'is' : 'are'} removed when you save.{' '}
      {held > 0 && `Open payments hold ${held.toLocaleString('en-US')} of them, and may complete. `}
      Customers with one of them in their cart are told at the checkout. Past orders keep
      everything.
    </>
  )
}
