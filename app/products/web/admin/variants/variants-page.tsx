import { useState } from 'react'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { Field, HiddenValue } from '#app/back-office/kit/fields.tsx'
import { useQuestion } from '#app/back-office/kit/form-dialog.tsx'
import { FormPage } from '#app/back-office/kit/form-page.tsx'
import { editPath, productPath } from '#app/products/contract.ts'
import { variantCalls } from '#app/products/variant-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { useMoneyFormat } from '#app/shared/web/form/use-money-format.ts'
import { loadOrFailure } from '#app/shared/web/load.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import type { Route } from './+types/variants-page.ts'
import type { Draft } from './draft.ts'
import { lossOf } from './option-edits.ts'
import { OptionsCard } from './options-card.tsx'
import { useDraft } from './use-draft.ts'
import { VariantsCard } from './variants-card.tsx'

export const clientLoader = ({ params: { id } }: Route.ClientLoaderArgs) =>
  loadOrFailure(call(variantCalls.getVariants, { params: { id } }))

/** The options and variants of a product. */
export default function VariantsPage({ loaderData, params }: Route.ComponentProps) {
  const loaded = useLastLoaded(loaderData.loaded, params.id)
  if (!loaded) return <ErrorPage error={loaderData.failure} />
  return <VariantsEditor key={loaded.product._id} loaded={loaded} />
}

type Loaded = NonNullable<Route.ComponentProps['loaderData']['loaded']>

const NO_EDIT = '{}'

type Asked = { what: string; loss: ReturnType<typeof lossOf> }

function VariantsEditor({ loaded }: { loaded: Loaded }) {
  const { product } = loaded
  const { draft, problems, edit, save, held, change, discard, write } = useDraft(
    loaded,
    useMoneyFormat(),
  )
  const [asked, setAsked] = useState<Asked | null>(null)
  const question = useQuestion({
    title: `Remove ${asked?.what}?`,
    action: 'Remove',
    children: asked && <Loss loss={asked.loss} />,
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
  const isCorrected = edit.changed?.some(({ quantity }) => quantity)
  return (
    <>
      <FormPage
        title="Options and variants"
        tab={`Variants of ${product.name}`}
        note={product.name}
        back={{ href: editPath(product), label: 'Update Product' }}
        tools={
          <>
            <HistoryLink object={product._id} className="btn" />
            <a href={productPath(product)} target="_blank" rel="noreferrer" className="btn">
              View in the shop
            </a>
          </>
        }
        save={save}
        failed="The variants could not be saved."
        action="Save variants"
        onDiscard={discard}
      >
        <HiddenValue name="edit" value={JSON.stringify(edit)} unchanged={NO_EDIT} />
        <OptionsCard draft={draft} onEdit={change} onLoss={onLoss} />
        <VariantsCard
          draft={draft}
          problems={problems}
          onEdit={change}
          onTexts={write}
          onLoss={onLoss}
        />
        {isCorrected && (
          <Field
            label="Reason"
            name="reason"
            hint="Of the changed stock, such as: counted anew, delivery, broken. It may stay empty."
          />
        )}
      </FormPage>
      {question.dialog}
    </>
  )
}

/** The loss with variants: their stock, and pieces in open payments. */
function Loss({ loss: { variants, stock, held, areAll } }: { loss: Asked['loss'] }) {
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
