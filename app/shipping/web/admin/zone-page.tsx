import { type ReactNode, use, useMemo, useState } from 'react'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { ComboboxOfSeveral } from '#app/back-office/kit/combobox.client.tsx'
import {
  Checkbox,
  Field,
  HiddenValue,
  Money,
  NumberField,
  Row,
  Select,
} from '#app/back-office/kit/fields.tsx'
import { useQuestion } from '#app/back-office/kit/form-dialog.tsx'
import { FormPage, FormValues, useNoteChange } from '#app/back-office/kit/form-page.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import { href } from '#app/shared/model/href.ts'
import { ErrorPage, NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { RateKind, ShippingRate, ShippingZone } from '#app/shipping/admin-contract.ts'
import type { Route } from './+types/zone-page.ts'
import { choiceOf, placeFinder } from './place-finder.ts'
import { KIND_NAMES, kindOf, loadZones, saveZone } from './zone-form.ts'

export const clientLoader = loadZones

/** Creates a shipping zone (`new`), or edits one. */
export default function ZonePage({ loaderData, params: { zone: id } }: Route.ComponentProps) {
  const zones = useLastLoaded(loaderData)?.zones
  if (!zones) return <NotLoaded />
  const zone = zones.find(({ _id }) => _id === id)
  if (!zone && id !== 'new') return <ErrorPage status={404} />
  return <ZoneEditor key={id} zone={zone} others={zones.filter((one) => one !== zone)} />
}

const LIST = { href: href('/dashboard/admin/shipping'), label: 'Shipping' }

type EditorProps = { zone?: ShippingZone | undefined; others: ShippingZone[] }

/** The form of a zone; without one, of a new zone. */
export function ZoneEditor({ zone, others }: EditorProps) {
  // as it was first read: a save never overwrites another admin's edit unnoticed
  const [read] = useState(zone)
  const { locale } = useShop()
  const find = useMemo(() => placeFinder(locale, others), [locale, others])
  const { ask: mayNarrow, dialog } = useQuestion({
    title: 'Deliver only to the places of your zones?',
    action: 'Deliver only there',
    children:
      'Customers outside of them will no longer be able to order. To deliver to them, too, go back and tick “Default zone”, or add another zone that is the default.',
  })
  return (
    <FormPage
      title={read ? `Shipping zone ${read.name}` : 'New shipping zone'}
      back={LIST}
      tools={read && <HistoryLink object={read._id} />}
      action="Save zone"
      isNew={!read}
      failed="The shipping zone could not be saved."
      values={read}
      save={async (_field, form) => {
        const saved = await saveZone(form, { zone: read, others, mayNarrow })
        return saved && { ...saved, to: LIST.href }
      }}
      after={dialog}
    >
      <Card title="Zone">
        <Field label="Name" name="name" hint="For the back office, such as Europe." />
        <ComboboxOfSeveral
          label="Places"
          name="places"
          hint="Countries, EU for all of its countries, states such as California, or another region with its country, such as: Madeira, Portugal."
          placeholder="Add a place"
          chosen={(read?.places ?? []).map(choiceOf)}
          search={find}
        />
        <Checkbox
          label="Default zone: it takes every place that no other zone has"
          name="isDefault"
        />
      </Card>
      <Card title="Rates">
        <ListFields noun="rate" list="rates" opened={read?.rates ?? [undefined]}>
          {(rate, path, remove) => <RateFields rate={rate} path={path} remove={remove} />}
        </ListFields>
      </Card>
    </FormPage>
  )
}

type ListProps<Entry> = {
  /** The path of the list in the body. */
  list: string
  /** The noun of an entry, such as rate. */
  noun: string
  /** The entries of the opened form; one that is added is undefined. */
  opened: readonly (Entry | undefined)[]
  /** The fields of an entry, whose names begin with its path, and the button that removes it. */
  children: (entry: Entry | undefined, path: string, remove: ReactNode) => ReactNode
}

/** The values of a form that has only this one, at its path. */
const valuesAt = (path: string, value: unknown): object =>
  path.split('.').reduceRight<object>((part, name) => ({ [name]: part }), Object(value))

/** A list of a form whose entries are added and removed. */
function ListFields<Entry>({ list, noun, opened, children }: ListProps<Entry>) {
  const { problems, mend } = use(FormProblems)
  const [entries, setEntries] = useState(() => opened.map((entry, key) => ({ key, entry })))
  const noteChange = useNoteChange()
  const add = () => {
    setEntries((all) => [...all, { key: (all.at(-1)?.key ?? -1) + 1, entry: undefined }])
    noteChange()
  }
  const remove = (key: number) => {
    setEntries((all) => all.filter((one) => one.key !== key))
    noteChange()
    // those after it have other paths now
    for (const { field } of problems) if (field.startsWith(`${list}.`)) mend(field)
  }
  const button = (label: string, onClick: () => void, look = '') => (
    <button type="button" onClick={onClick} className={`btn btn-sm ${look}`}>
      {label} {noun}
    </button>
  )
  return (
    <>
      <ol className="space-y-4">
        {entries.map(({ key, entry }, at) => {
          const path = `${list}.${at}`
          const removing = button('Remove', () => remove(key), 'btn-ghost text-error')
          return (
            <li key={key}>
              <FormValues value={valuesAt(path, entry)}>
                {children(entry, path, removing)}
              </FormValues>
            </li>
          )
        })}
      </ol>
      {button('Add', add)}
    </>
  )
}

type RateProps = {
  rate: ShippingRate | undefined
  /** The path of the rate in the body. */
  path: string
  /** The button that removes it. */
  remove: ReactNode
}

/** One rate of a zone. */
function RateFields({ rate, path, remove }: RateProps) {
  const [kind, setKind] = useState<RateKind>(rate?.kind ?? 'flat')
  /** Fields of some kinds of rate. Those of another kind keep what was typed, and are not sent. */
  const only = (kinds: RateKind[], children: ReactNode) => (
    <fieldset className="contents" hidden={!kinds.includes(kind)} disabled={!kinds.includes(kind)}>
      {children}
    </fieldset>
  )
  return (
    <fieldset className="rounded-box border border-base-300 p-4">
      <legend className="px-2 font-semibold">Rate {Number(path.split('.').at(-1)) + 1}</legend>
      {rate?._id && <HiddenValue name={`${path}._id`} value={rate._id} />}
      <Row>
        <Field
          label="Name"
          name={`${path}.name`}
          hint="Customers see it, such as Standard or Express."
        />
        <Select
          label="Kind"
          name={`${path}.kind`}
          value={kind}
          onChange={({ target }) => setKind(kindOf(target.value))}
          options={KIND_NAMES}
        />
        {only(
          ['flat', 'pickup'],
          <Money
            label="Price"
            name={`${path}.price`}
            {...(kind === 'pickup' && { hint: 'Empty: free.' })}
          />,
        )}
        {only(
          ['weight'],
          <Tiers rate={rate} path={path} kind="weight" what="weight in grams">
            {(name) => <Field label="Up to (grams)" name={name} unit="g" inputMode="numeric" />}
          </Tiers>,
        )}
        {only(
          ['amount'],
          <Tiers rate={rate} path={path} kind="amount" what="the amount of goods, after discounts">
            {(name) => <Money label="Up to (amount)" name={name} />}
          </Tiers>,
        )}
        {only(
          ['flat', 'weight', 'amount'],
          <Money
            label="Free from"
            name={`${path}.freeFrom`}
            hint="The amount of goods, after discounts, from which it is free. Empty: never."
          />,
        )}
        {only(['flat', 'weight', 'amount'], <DaysFields path={`${path}.days`} />)}
      </Row>
      <div className="mt-3">{remove}</div>
    </fieldset>
  )
}

/** How long a delivery takes. */
const DaysFields = ({ path }: { path: string }) => (
  <div className="col-span-full">
    <Row>
      <NumberField
        label="Working days, at least"
        name={`${path}.least`}
        hint="How long a delivery takes. Pages of products show it. Both empty: nothing is said."
      />
      <NumberField label="Working days, at most" name={`${path}.most`} />
    </Row>
  </div>
)

type TierProps = Omit<RateProps, 'remove'> & {
  kind: RateKind
  what: string
  /** The field of where a tier ends. */
  children: (name: string) => ReactNode
}

/** The prices of a rate by weight or by amount. */
const Tiers = ({ rate, path, kind, what, children }: TierProps) => (
  <div className="col-span-full space-y-3">
    <p className="text-base-content/75 text-sm">
      A price for each range of {what}. Each range ends at the number given, which it includes.
      Without an end it has no limit; above the last end this rate is not offered.
    </p>
    <ListFields
      noun="tier"
      list={`${path}.tiers`}
      opened={(rate?.kind === kind && rate.tiers) || [undefined]}
    >
      {(_tier, tier, remove) => (
        <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
          {children(`${tier}.upTo`)}
          <Money label="Price" name={`${tier}.price`} />
          <span className="sm:mt-7.5">{remove}</span>
        </div>
      )}
    </ListFields>
  </div>
)
