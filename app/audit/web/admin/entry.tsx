import type { AuditEntry, AuditedTable, Change, Value } from '#app/audit/admin-contract.ts'
import { DialogButton } from '#app/back-office/kit/dialog-button.tsx'
import { ChangeDialog } from '#app/back-office/kit/form-dialog.tsx'
import { formatTime } from '#app/back-office/kit/time.tsx'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import { editPath } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { historyPath } from '../history-link.tsx'
import {
  ACTION_NAMES,
  isAmount,
  isTime,
  labelOf,
  nameOfStored,
  nounOf,
  UNNAMED_ACTORS,
} from './labels.ts'

const MAX_LENGTH = 120

/** The admin page of the object; for a payment, its history. */
function pathOf({ kind, _id, slug }: AuditEntry['object']): string {
  if (kind === 'products' && slug !== null) return editPath({ slug })
  if (kind === 'orders' || kind === 'order_notes')
    return href('/dashboard/admin/orders/:orderId', { orderId: _id })
  if (kind === 'settings') return href('/dashboard/admin/settings')
  if (kind === 'tax_settings') return href('/dashboard/admin/taxes')
  if (kind === 'users' || kind === 'user_notes')
    return href('/dashboard/admin/users/:userId', { userId: _id })
  return historyPath({ object: _id })
}

/** The tables of one row, which needs no name. */
const SINGLE: AuditedTable[] = ['settings', 'tax_settings']

/** The object of an entry, by its noun and its name. */
export function objectName({ kind, name }: AuditEntry['object']) {
  if (SINGLE.includes(kind)) return nounOf(kind)
  if (kind === 'stored_settings' && name !== null) return `Connection: ${nameOfStored(name)}`
  // the one variant of a product without options has the name of that, without values
  const noun = kind === 'variants' && !name?.includes(' – ') ? nounOf('products') : nounOf(kind)
  return `${noun} ${name ?? 'that is deleted'}`
}

export const ObjectLink = ({ object }: { object: AuditEntry['object'] }) => (
  <a href={pathOf(object)} className="link link-hover wrap-anywhere font-medium">
    {objectName(object)}
  </a>
)

export const actorName = ({ kind, name }: AuditEntry['actor']) => name ?? UNNAMED_ACTORS[kind]

export function Actor({ actor }: Pick<AuditEntry, 'actor'>) {
  if (actor._id === null) return actorName(actor)
  return (
    <>
      <a href={historyPath({ actor: actor._id })} className="link link-hover wrap-anywhere">
        {actorName(actor)}
      </a>
      {actor.kind === 'admin' && ' (admin)'}
    </>
  )
}

/** Formats values; amounts in a currency, or in that of the shop. */
function useFormat(currency: string | null): (field: string, value: Value) => string {
  const money = useMoney()
  return (field, value) => {
    if (isEmpty(value)) return 'none'
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    if (typeof value === 'number')
      return isAmount(field) ? money(value, currency ?? undefined) : value.toLocaleString('en-US')
    return isTime(field) ? formatTime(value) : truncate(value, MAX_LENGTH)
  }
}

const isEmpty = (value: Value) => value === null || value === ''

/** The only values of a secret or a picture. */
const EVENTS: Value[] = ['changed', 'added', 'removed']

/** The change, with the values before and after. */
export function Changes({ entry }: { entry: AuditEntry }) {
  const { action, object, changes, changeId } = entry
  const format = useFormat(object.currency)
  const shown = changes.filter(({ before, after }) => !isEmpty(before) || !isEmpty(after))
  const isUpdate = action === 'update'
  /** Secrets, created rows and deleted rows have only one value. */
  const formatChange = ({ field, before, after }: Change) =>
    isUpdate && !(before === null && EVENTS.includes(after))
      ? `${format(field, before)} → ${format(field, after)}`
      : format(field, after ?? before)
  return (
    <div className="wrap-anywhere py-1">
      {(!isUpdate || shown.length === 0) && <p>{ACTION_NAMES[action]}</p>}
      <dl className={isUpdate ? '' : 'flex flex-wrap gap-x-4'}>
        {shown.map((change) => (
          <div key={change.field} className="flex gap-x-2">
            <dt className="text-base-content/75">{labelOf(change.field, object.kind)}</dt>
            <dd>{formatChange(change)}</dd>
          </div>
        ))}
      </dl>
      {changeId && <Undo changeId={changeId} />}
    </div>
  )
}

/** Takes a change of many products back, however long ago it was. */
const Undo = ({ changeId }: { changeId: string }) => (
  <DialogButton
    className="link text-sm"
    dialog={
      <ChangeDialog
        title="Undo the change of all these products?"
        action="Undo the change"
        run={() => call(catalogueCalls.undoChange, { body: { changeId } })}
        failed="The change could not be undone."
      >
        Each product gets back what this change has changed, unless it was changed again since.
        Orders, e-mails and documents stay as they are.
      </ChangeDialog>
    }
  >
    Undo this change of many products
  </DialogButton>
)
