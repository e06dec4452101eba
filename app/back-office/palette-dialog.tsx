import { Autocomplete } from '@base-ui/react/autocomplete'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type Found, overviewCalls } from '#app/overview/admin-contract.ts'
import { editPath } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { useMoney } from '#app/shared/web/use-money.ts'
import { useAnswer } from './kit/loaded.tsx'
import { MENU } from './menu.ts'

type Entry = { path: string; label: string; note?: string }
type Group = { name: string; items: Entry[] }

/** Actions and pages that the menu does not have. */
const ACTIONS: Entry[] = [
  { label: 'Create order', path: href('/dashboard/admin/create-order') },
  { label: 'Create discount', path: href('/dashboard/admin/create-coupon') },
  { label: 'Create shipping zone', path: href('/dashboard/admin/shipping/:zone', { zone: 'new' }) },
  { label: 'Go to the shop', path: '/' },
]

const matches = (text: string) => {
  const words = text.toLowerCase().split(/\s+/)
  return ({ label }: Entry) => words.every((word) => label.toLowerCase().includes(word))
}

/** The groups of what a text finds: first of the shop's data, then pages and actions. */
function groupsOf(text: string, found: Found | null, money: ReturnType<typeof useMoney>): Group[] {
  const { orders = [], customers = [], products = [] } = found ?? {}
  const groups: Record<string, Entry[]> = {
    Orders: orders.map(({ _id: orderId, number, buyer, total, currency }) => ({
      path: href('/dashboard/admin/orders/:orderId', { orderId }),
      label: `Order ${number}`,
      note: `${buyer} · ${money(total, currency)}`,
    })),
    Customers: customers.map(({ _id: userId, name, email }) => ({
      path: href('/dashboard/admin/users/:userId', { userId }),
      label: name,
      note: email,
    })),
    Products: products.map(({ slug, name }) => ({ path: editPath({ slug }), label: name })),
    Pages: MENU.flat().filter(matches(text)),
    Actions: ACTIONS.filter(matches(text)),
  }
  return Object.entries(groups)
    .map(([name, items]) => ({ name, items }))
    .filter(({ items }) => items.length > 0)
}

/** Searches orders, customers, products, pages and actions, and opens what is chosen. */
export default function PaletteDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const money = useMoney()
  const [value, setValue] = useState('')
  const text = value.trim()
  const { answer, failure, isLoading } = useAnswer(
    text || null,
    (call) => call(overviewCalls.search, { query: { q: text } }),
    'The search failed.',
  )
  const open = ({ path }: Entry) => {
    onClose()
    void navigate(path)
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      <Autocomplete.Root
        inline
        open
        mode="none"
        autoHighlight="always"
        keepHighlight
        items={groupsOf(text, answer, money)}
        itemToStringValue={({ label }: Entry) => label}
        value={value}
        onValueChange={(next, { reason }) => reason === 'input-change' && setValue(next)}
      >
        <Autocomplete.Input
          autoFocus
          maxLength={200}
          aria-label="Search"
          placeholder="Order number, customer, product, page …"
          className="input w-full placeholder:text-base-content/75"
        />
        <Autocomplete.Status className="min-h-6 pt-2 text-base-content/75 text-xs">
          {isLoading ? 'Searching …' : failure}
        </Autocomplete.Status>
        <Autocomplete.Empty>
          {!isLoading && !failure && <p className="p-2">Nothing found.</p>}
        </Autocomplete.Empty>
        <Autocomplete.List className="max-h-[50dvh] overflow-y-auto overscroll-contain">
          {({ name, items }: Group) => (
            <Autocomplete.Group key={name} items={items}>
              <Autocomplete.GroupLabel className="px-2 pt-2 text-base-content/75 text-xs">
                {name}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(entry: Entry) => (
                  <Autocomplete.Item
                    key={entry.path + entry.label}
                    value={entry}
                    onClick={() => open(entry)}
                    className="menu-entry data-highlighted:bg-neutral"
                  >
                    <span className="wrap-anywhere">{entry.label}</span>
                    {entry.note && (
                      <span className="wrap-anywhere ms-auto text-end text-base-content/75 text-xs">
                        {entry.note}
                      </span>
                    )}
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  )
}
