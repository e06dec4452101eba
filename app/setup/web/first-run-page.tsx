import { useState, useSyncExternalStore } from 'react'
import { data, useNavigate, useRevalidator } from 'react-router'
import { AccountField } from '#app/accounts/web/account-field.tsx'
import { sessionAtom } from '#app/accounts/web/session.ts'
import { settingsCalls } from '#app/settings/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { Select } from '#app/shared/web/form/select.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { MAX_SHOP_NAME, setupCalls } from '../contract.ts'
import type { Route } from './+types/first-run-page.ts'

/** The page does not exist once there is an admin. Servers and browsers name places and zones differently. */
async function load(args: Pick<LoadArgs, 'context'>) {
  const { hasAdmin } = await callOf(args)(settingsCalls.getSettings)
  if (hasAdmin) throw data({ message: 'This shop is set up already.' }, { status: 404 })
  // the first screen has them from the server
  const { countryOptions, currencies, timeZones } = await import('#app/settings/web/options.ts')
  return { countries: countryOptions(), currencies: currencies(), zones: timeZones() }
}

type Options = Awaited<ReturnType<typeof load>>

export const loader = (args: Route.LoaderArgs) => load(args)
export const clientLoader = (args: Route.ClientLoaderArgs) => load(args)
/** The admin that this page makes does not close it before the dashboard opens. */
export const shouldRevalidate = () => false

/** Makes the first admin, names the shop, and opens the dashboard. */
export default function FirstRunPage({ loaderData }: { loaderData: Options }) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const submit = useSubmit(
    async (field) => {
      const { message, user, token } = await call(setupCalls.makeFirstAdmin, {
        body: valuesOf(
          field,
          'code',
          'shopName',
          'country',
          'currencyDisplay',
          'timeZone',
          'name',
          'email',
          'password',
        ),
      })
      sessionAtom.set({ user, token })
      toast.success(message)
      await navigate(href('/dashboard/admin'), { replace: true })
      // the layout shows the new name
      await revalidate()
    },
    { atFieldOnly: true },
  )
  return (
    <section className="mx-auto w-full max-w-2xl px-4 py-12 sm:py-16">
      <PageHead title="Set up your shop" hidden />
      <div className="surface space-y-8 p-6 shadow-sm sm:p-10">
        <header className="space-y-3">
          <h1 className="text-3xl">Set up your shop</h1>
          <p>
            Name the shop and make its first admin: the account that runs the back office. The code
            proves that the shop is yours. It is in the terminal or log where the shop started:
          </p>
          <p className="wrap-anywhere rounded-field bg-base-200 p-4 font-mono text-sm">
            Code of the first run: <span className="whitespace-nowrap">XXXX-XXXX-XXXX-XXXX</span>
          </p>
        </header>
        <SubmitForm submit={submit} className="space-y-8">
          <ShopPart {...loaderData} />
          <AdminPart />
          <BusyButton type="submit" busy={submit.busy} className="btn-primary btn-block">
            Open the shop
          </BusyButton>
        </SubmitForm>
      </div>
    </section>
  )
}

const CHOOSE = { value: '', label: 'Choose' }

const nothingChanges = () => () => {}

const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

const ShopPart = ({ countries, currencies, zones }: Options) => (
  <fieldset className="space-y-4">
    <legend className="mb-4 font-display font-semibold text-xl">Shop</legend>
    <Field
      label="Code"
      name="code"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={100}
      hint="Lost it? Stop the shop and start it again: it prints another one."
      required
    />
    <Field
      label="Shop name"
      name="shopName"
      autoComplete="organization"
      maxLength={MAX_SHOP_NAME}
      hint="Shown on every page. You can change it later."
      required
    />
    <Select
      label="Country"
      name="country"
      hint="Where you sell from: its law decides which texts customers have to find."
      options={[CHOOSE, ...countries]}
      required
    />
    <Select
      label="Currency"
      name="currencyDisplay"
      hint="Prices are shown and paid in it."
      options={[CHOOSE, ...currencies]}
      required
    />
    <TimeZoneField zones={zones} />
  </fieldset>
)

/** It begins with the zone of the browser. */
function TimeZoneField({ zones }: Pick<Options, 'zones'>) {
  const zone = useSyncExternalStore(nothingChanges, browserZone, () => 'UTC')
  const isOffered = zones.some(({ value }) => value === zone)
  return (
    <Select
      key={zone}
      label="Time zone"
      name="timeZone"
      hint="Days begin at its midnight: of invoices, figures, discounts and tax rates."
      options={isOffered ? zones : [...zones, { value: zone, label: zone }]}
      defaultValue={zone}
      required
    />
  )
}

function AdminPart() {
  const [isShown, setShown] = useState(false)
  return (
    <fieldset className="space-y-4">
      <legend className="mb-4 font-display font-semibold text-xl">First admin</legend>
      <p className="text-base-content/75">
        Your own account. Customers do not see it: what they see is in the settings.
      </p>
      <AccountField of="name" label="Your name" required />
      <AccountField of="email" hint="You log in with it." required />
      <AccountField
        of="newPassword"
        name="password"
        label="Password"
        type={isShown ? 'text' : 'password'}
        required
      />
      <label className="flex items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={isShown}
          onChange={({ target }) => setShown(target.checked)}
          className="checkbox checkbox-primary checkbox-sm"
        />
        Show the password
      </label>
    </fieldset>
  )
}
