/** The dialogs that change selected products. Each shows what it would change before it does. */
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { type BulkAction, type Selection, selected } from '#app/back-office/kit/bulk-bar.tsx'
import type { Choice } from '#app/back-office/kit/combobox.client.tsx'
import { Field, Money, NumberField, Select } from '#app/back-office/kit/fields.tsx'
import { ChangeDialog, type Changed, FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { Loaded } from '#app/back-office/kit/loaded.tsx'
import { offerUndo } from '#app/back-office/kit/undo.tsx'
import { type BulkChange, catalogueCalls, PRICE_ENDINGS } from '#app/products/catalogue-contract.ts'
import { MAX_QUANTITY } from '#app/products/form-contract.ts'
import { PRODUCT_STATUSES } from '#app/products/publication-contract.ts'
import { decimalsOf } from '#app/shared/model/minor-units.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import type { Fields } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { STATUS_NAMES } from './product-columns.tsx'

/** Loaded when it is used: it is as large as the rest of the page. */
const Combobox = lazy(async () => ({
  default: (await import('#app/back-office/kit/combobox.client.tsx')).Combobox,
}))

const undoOf = (changeId: string) => () => call(catalogueCalls.undoChange, { body: { changeId } })

type Sent = { selection: Selection; change: BulkChange; changeId: string; reason?: string }

/** Sent again with the same id after a lost answer, it changes no product twice. */
async function send({ selection, reason, ...sent }: Sent): Promise<Changed> {
  const { changeId } = sent
  const body = { ...sent, selection: selected(selection), ...(reason && { reason }) }
  const { message, changed } = await call(catalogueCalls.changeProducts, { body })
  return { message, ...(changed > 0 && !sent.change.isDeleted && { undo: undoOf(changeId) }) }
}

/** Sends changes, and when their dialog is closed offers to undo those that failed on their way. */
function useSend() {
  const [unfinished] = useState(() => new Set<string>())
  useEffect(
    () => () => {
      for (const id of unfinished) offerUndo('Some products may have been changed.', undoOf(id))
    },
    [unfinished],
  )
  return async (sent: Sent) => {
    try {
      const changed = await send(sent)
      unfinished.delete(sent.changeId)
      return changed
    } catch (error) {
      const isRefused = error instanceof CallFailure && error.status >= 400 && error.status < 500
      if (!isRefused) unfinished.add(sent.changeId)
      throw error
    }
  }
}

type Given = { selection: Selection }

/** What a way makes of the value that is entered. */
type Way = { value: string; label: string; changeBy: (value: number) => BulkChange }

/** The change that the fields describe; null while they are not filled in. */
function changeIn(field: Fields, ways: Way[]): BulkChange | null {
  const status = PRODUCT_STATUSES.find((one) => one === field('status'))
  if (status) return { status }
  if (field('category')) return { category: field('category') }
  const value = field('value') === '' ? Number.NaN : Number(field('value'))
  const way = ways.find((one) => one.value === field('way'))
  if (!way || !Number.isFinite(value)) return null
  const priceEnding = PRICE_ENDINGS.find((one) => one === field('ending'))
  return { ...way.changeBy(value), ...(priceEnding && { priceEnding }) }
}

type Props = Given & {
  title: string
  /** The ways to change a value, of which one is chosen. */
  ways?: Way[]
  /** The fields of the chosen way. */
  children: (way: string) => ReactNode
}

function BulkDialog({ selection, title, ways = [], children }: Props) {
  // another change has another id
  const enter = (field: Fields) => ({ field, changeId: crypto.randomUUID() })
  const [{ field, changeId }, setEntered] = useState(() => enter(() => ''))
  const change = changeIn(field, ways)
  const send = useSend()
  return (
    <FormDialog
      title={`${title} of ${selection.text}`}
      action={`Change ${title.toLowerCase()}`}
      save={(field) => {
        const sent = changeIn(field, ways) ?? {}
        return send({ selection, change: sent, changeId, reason: field('reason') })
      }}
      failed="The products could not be changed."
      onChange={(field) => setEntered(enter(field))}
      toasts
    >
      {ways.length > 0 && <Select label="Change" name="way" options={ways} />}
      {children(field('way'))}
      {change && <BulkPreview selection={selection} change={change} />}
    </FormDialog>
  )
}

const PRICE_WAYS: Way[] = [
  { value: '+%', label: 'Raise by a percentage', changeBy: (by) => ({ pricePercent: by }) },
  { value: '-%', label: 'Lower by a percentage', changeBy: (by) => ({ pricePercent: -by }) },
  { value: '+', label: 'Raise by an amount', changeBy: (by) => ({ priceAmount: by }) },
  { value: '-', label: 'Lower by an amount', changeBy: (by) => ({ priceAmount: -by }) },
]

const PriceDialog = (given: Given) => (
  <BulkDialog {...given} title="Prices" ways={PRICE_WAYS}>
    {(way) => (
      <>
        {['+', '-'].includes(way) ? (
          <Money label="Amount" name="value" required hint="Of each variant." />
        ) : (
          <NumberField
            label="Percentage"
            name="value"
            unit="%"
            step="0.01"
            required
            hint="Of the regular price, of each variant."
          />
        )}
        <PriceEnding />
      </>
    )}
  </BulkDialog>
)

/** The ending of the changed prices, in a currency with decimals. */
function PriceEnding() {
  const { currencyDisplay } = useShop()
  if (decimalsOf(currencyDisplay) === 0) return null
  return (
    <Select
      label="Round to"
      name="ending"
      options={[
        { value: '', label: 'As calculated' },
        ...PRICE_ENDINGS.map((value) => ({ value, label: `Prices that end in ${value}` })),
      ]}
    />
  )
}

const STOCK_WAYS: Way[] = [
  { value: 'add', label: 'Add to the stock', changeBy: (by) => ({ quantityAdded: by }) },
  { value: 'set', label: 'Set the stock', changeBy: (quantity) => ({ quantity }) },
]

const StockDialog = (given: Given) => (
  <BulkDialog {...given} title="Stock" ways={STOCK_WAYS}>
    {() => (
      <>
        <NumberField
          label="Quantity"
          name="value"
          min={-MAX_QUANTITY}
          required
          hint="Of each variant. A negative number takes from the stock."
        />
        <Field label="Reason" name="reason" hint="Such as: delivery." />
      </>
    )}
  </BulkDialog>
)

const DELETION: BulkChange = { isDeleted: true }

function DeleteDialog({ selection }: Given) {
  const [changeId] = useState(() => crypto.randomUUID())
  return (
    <ChangeDialog
      title={`Delete ${selection.text}?`}
      action="Delete"
      deletes
      run={() => send({ selection, change: DELETION, changeId })}
      failed="The products could not be deleted."
    >
      <p>This cannot be undone. Past orders keep their copy of them.</p>
      <BulkPreview selection={selection} change={DELETION} />
    </ChangeDialog>
  )
}

/** A dry run has no id of its own. */
const NO_CHANGE = '00000000-0000-0000-0000-000000000000'

/** How many products a change would change, and the first of them with their values before and after. */
function BulkPreview({ selection, change }: Given & { change: BulkChange }) {
  const money = useMoney()
  const isPrice = change.pricePercent !== undefined || change.priceAmount !== undefined
  const shown = (value: number | string | null) =>
    typeof value === 'number' && isPrice ? money(value) : value?.toLocaleString('en-US')
  const body = { selection: selected(selection), change, changeId: NO_CHANGE, dryRun: true }
  return (
    <Loaded
      of={JSON.stringify(body)}
      load={(call) => call(catalogueCalls.changeProducts, { body })}
      failed="The preview could not be made."
    >
      {({ message, changed, refused, preview }) => (
        <div className="space-y-2">
          <p role="status" className={`font-medium ${refused > 0 ? 'text-error' : ''}`}>
            {message}
          </p>
          <ul aria-label="What would change" className="divide-y divide-base-300">
            {preview.map(({ _id, name, before, after, isRefused }) => (
              <li key={_id} className="flex justify-between gap-4 py-1.5">
                <span className="wrap-anywhere min-w-0">{name}</span>
                {!change.isDeleted && (
                  <span className={`shrink-0 ${isRefused ? 'text-error line-through' : ''}`}>
                    {shown(before)} → {shown(after)}
                  </span>
                )}
              </li>
            ))}
          </ul>
          {changed + refused > preview.length && (
            <p>… and {(changed + refused - preview.length).toLocaleString('en-US')} more.</p>
          )}
        </div>
      )}
    </Loaded>
  )
}

/** What can be done with selected products. */
export const bulkActions = (categories: Choice[]): BulkAction[] => [
  { label: 'Prices', dialog: (selection) => <PriceDialog selection={selection} /> },
  { label: 'Stock', dialog: (selection) => <StockDialog selection={selection} /> },
  {
    label: 'Category',
    dialog: (selection) => (
      <BulkDialog selection={selection} title="Category">
        {() => (
          <Suspense>
            <Combobox label="Category" name="category" choices={categories} />
          </Suspense>
        )}
      </BulkDialog>
    ),
  },
  {
    label: 'Status',
    dialog: (selection) => (
      <BulkDialog selection={selection} title="Status">
        {() => <Select label="Status" name="status" options={STATUS_NAMES} />}
      </BulkDialog>
    ),
  },
  { label: 'Delete', dialog: (selection) => <DeleteDialog selection={selection} /> },
]
