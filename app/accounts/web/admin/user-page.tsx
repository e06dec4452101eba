import { type UserDetail, userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE, isAdmin } from '#app/accounts/session-contract.ts'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DownloadButton } from '#app/back-office/download-button.tsx'
import { DialogButton, RowDialogs } from '#app/back-office/kit/dialog-button.tsx'
import { ChangeDialog, InfoDialog } from '#app/back-office/kit/form-dialog.tsx'
import { Notes } from '#app/back-office/kit/notes.tsx'
import { Card, Columns, Entries, Facts, Page } from '#app/back-office/kit/page.tsx'
import { type Column, Table } from '#app/back-office/kit/table.client.tsx'
import { formatTime } from '#app/back-office/kit/time.tsx'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrFailure } from '#app/shared/web/load.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { sessionAtom } from '../session.ts'
import type { Route } from './+types/user-page.ts'
import { stateOf } from './users-page.tsx'

export const clientLoader = ({ params }: Route.ClientLoaderArgs) =>
  loadOrFailure(call(userAdminCalls.getUser, { params }))

type Props = { user: UserDetail }

/** A customer, with what the shop knows of them. */
export default function UserPage({ loaderData, params: { userId } }: Route.ComponentProps) {
  const user = useLastLoaded(loaderData.loaded, userId)
  if (!user) return <ErrorPage error={loaderData.failure} />
  return (
    <RowDialogs>
      <Page
        title={user.name}
        back={{ href: href('/dashboard/admin/users'), label: 'Users' }}
        tools={<Actions user={user} />}
      >
        <Columns
          side={
            <>
              <Contact user={user} />
              <Discounts user={user} />
              <SignIns user={user} />
            </>
          }
        >
          <Orders user={user} />
          <Notes
            notes={user.notes}
            about={user.name}
            empty="No notes yet. The customer sees them only in a copy of their data."
            add={
              user.closedAt === null &&
              ((text) => call(userAdminCalls.addUserNote, { params: { userId }, body: { text } }))
            }
            remove={(id) => call(userAdminCalls.deleteUserNote, { params: { id } })}
          />
        </Columns>
      </Page>
    </RowDialogs>
  )
}

/** The changes of a user's account, each with the text that asks for its confirmation. */
function changesOf(user: UserDetail) {
  const { _id: userId, name } = user
  const params = { userId }
  const wasAdmin = isAdmin(user)
  const changeRole = {
    action: wasAdmin ? 'Remove admin' : 'Make admin',
    failed: 'The role could not be changed.',
    title: wasAdmin ? `Take the back office from ${name}?` : `Make ${name} an admin?`,
    children: wasAdmin
      ? 'They lose access to the back office at once. To reset a forgotten password, they must first set a new security answer in their profile.'
      : 'They can change products, orders and users, as you can. They have to log in again. Their security answer is deleted; only the owner can reset a password that they forget.',
    run: () =>
      call(userAdminCalls.setUserRole, { params, body: { role: wasAdmin ? 0 : ADMIN_ROLE } }),
  }
  const endSessions = {
    action: 'End sessions',
    failed: 'The sessions could not be ended.',
    title: `Sign ${name} out everywhere?`,
    children: 'This user has to log in again on every device.',
    run: () => call(userAdminCalls.endUserSessions, { params }),
  }
  const close = {
    action: 'Close account',
    deletes: true,
    failed: 'The account could not be closed.',
    title: `Close the account of ${name}?`,
    children:
      "This cannot be undone. Name, e-mail, phone, addresses and notes are deleted, the name and the addresses also from past orders. The orders themselves stay. If your books need the buyer's details, export the orders first.",
    run: () => call(userAdminCalls.closeUserAccount, { params }),
  }
  return wasAdmin ? [changeRole, endSessions] : [changeRole, endSessions, close]
}

/** Exports the data of a user, changes the role, ends sessions, and closes the account. */
function Actions({ user }: Props) {
  const isOneself = useStore(sessionAtom).user?._id === user._id
  const changes = isOneself || user.closedAt !== null ? [] : changesOf(user)
  return (
    <>
      {isOneself && <p className="text-base-content/75">This is you.</p>}
      <DownloadButton endpoint={userAdminCalls.exportUserData} params={{ userId: user._id }}>
        Export data
      </DownloadButton>
      {changes.map((change) => (
        <DialogButton
          key={change.action}
          className={`btn ${change.action === 'Close account' ? 'btn-ghost text-error' : ''}`}
          dialog={
            change.action === 'Close account' && user.openOrders.length > 0 ? (
              <KeptOpen user={user} />
            ) : (
              <ChangeDialog {...change} />
            )
          }
        >
          {change.action}
        </DialogButton>
      ))}
    </>
  )
}

/** Names the orders that keep an account open. */
const KeptOpen = ({ user: { name, openOrders } }: Props) => (
  <InfoDialog title={`The account of ${name} cannot be closed yet`}>
    <p>These orders are not sent or not paid yet. Their addresses would be lost.</p>
    <ul className="list-inside list-disc py-3">
      {openOrders.map(({ _id: orderId, number }) => (
        <li key={orderId}>
          <a href={href('/dashboard/admin/orders/:orderId', { orderId })} className="link">
            Order {number}
          </a>
        </li>
      ))}
    </ul>
    <p>Close it when they are paid and on their way, or are cancelled.</p>
  </InfoDialog>
)

function Orders({ user: { _id, spent, orders, allOrders, latestOrders } }: Props) {
  const money = useMoney()
  const { currencyDisplay } = useShop()
  const columns: Column<UserDetail['latestOrders'][number]>[] = [
    { header: 'Order', phone: 'title', csv: ({ number }) => `#${number}` },
    { header: 'Date', at: ({ date }) => date },
    {
      header: 'Products',
      phone: 'break',
      csv: ({ products }) =>
        products
          .map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name))
          .join(', '),
    },
    { header: 'Status', csv: ({ status }) => status },
    { header: 'Total', money: ({ total, currency }) => [total, currency], phone: 'end' },
  ]
  return (
    <Card
      title="Orders"
      tools={
        <a href={`${href('/dashboard/admin/orders')}?customer=${_id}`} className="link">
          {pluralize(allOrders, 'order', false)}
        </a>
      }
    >
      <Facts
        facts={[
          ['Spent, less refunds', money(spent, currencyDisplay)],
          ['Orders that count', orders.toLocaleString('en-US')],
        ]}
      />
      {latestOrders.length === 0 ? (
        <p className="text-base-content/75">No orders yet.</p>
      ) : (
        <Table
          label="Latest orders"
          items={latestOrders}
          columns={columns}
          nameOf={({ number }) => `order ${number}`}
          open={({ _id: orderId }) => href('/dashboard/admin/orders/:orderId', { orderId })}
        />
      )}
    </Card>
  )
}

const linkTo = (scheme: 'mailto' | 'tel', text: string) =>
  text && (
    <a key={scheme} href={`${scheme}:${text.replace(/\s/g, '')}`} className="link">
      {text}
    </a>
  )

function Contact({ user }: Props) {
  const { name, email, phone, address, addresses, emailConfirmedAt, createdAt, closedAt } = user
  const known = [...new Set([address, ...addresses])].filter((text) => text.trim() !== '')
  return (
    <Card title="Contact">
      <Facts
        facts={[
          ['State', stateOf(user) || null],
          ['E-mail', linkTo('mailto', email)],
          ['Confirmed', emailConfirmedAt ? formatTime(emailConfirmedAt) : 'No'],
          ['Phone', linkTo('tel', phone)],
          ['Since', formatTime(createdAt)],
          ['Closed', closedAt && formatTime(closedAt)],
        ]}
      />
      <Entries
        label={`Addresses of ${name}`}
        entries={known.map((text) => ({ key: text, text }))}
      />
    </Card>
  )
}

const Discounts = ({ user: { coupons } }: Props) => (
  <Card title="Discounts used">
    <Entries
      empty="None."
      entries={coupons.map(({ _id: id, name, isDeleted, uses }) => ({
        key: id,
        text: isDeleted ? (
          `${name} (deleted)`
        ) : (
          <a href={href('/dashboard/admin/coupon/:id', { id })} className="link">
            {name}
          </a>
        ),
        end: pluralize(uses, 'use', false),
      }))}
    />
  </Card>
)

const PLACES = { network: 'Known network', browser: 'Known browser' }

const SignIns = ({ user: { _id, sessions, places } }: Props) => (
  <Card
    title="Sign-ins"
    tools={
      <span className="flex gap-3">
        <HistoryLink object={_id} />
        <HistoryLink actor={_id} />
      </span>
    }
  >
    <Entries
      empty="Not signed in now."
      entries={sessions.map(({ since, until }) => ({
        key: `${since} ${until}`,
        text: `Signed in since ${formatTime(since)}`,
      }))}
    />
    <Entries
      entries={places.map(({ kind, seenAt }) => ({
        key: `${kind} ${seenAt}`,
        text: `${PLACES[kind]}, last on ${formatTime(seenAt)}`,
      }))}
    />
  </Card>
)
