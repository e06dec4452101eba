import { pictureUrl } from '#app/settings/contract.ts'
import { PictureInput } from './picture-input.tsx'
import { Section, SettingInput, SettingTextarea } from './setting-field.tsx'
import type { Draft } from './settings-draft.ts'

/** Name, tagline and logo. */
export function ShopFields({ draft: { settings, problemOf, change } }: { draft: Draft }) {
  return (
    <Section title="Shop">
      <SettingInput
        label="Name"
        value={settings.name}
        problem={problemOf('name')}
        onChange={(name) => change({ name })}
        autoComplete="organization"
      />
      <SettingInput
        label="Tagline"
        hint="After the name, in the title of the home page."
        value={settings.tagline}
        problem={problemOf('tagline')}
        onChange={(tagline) => change({ tagline })}
      />
      <div className="flex flex-wrap items-start gap-4">
        <PictureInput
          label="Logo"
          hint="Icons of browser tabs and home screens are made from it, too."
          problem={problemOf('logo')}
          onUploaded={({ id }) => change({ logo: id })}
        />
        {settings.logo !== null && (
          <div className="space-y-2">
            <img
              src={pictureUrl(settings.logo, 400)}
              alt="The logo"
              className="h-12 w-auto max-w-40 object-contain"
            />
            <button type="button" className="btn btn-sm" onClick={() => change({ logo: null })}>
              Remove the logo
            </button>
          </div>
        )}
      </div>
    </Section>
  )
}

/** The data of the contact page. */
export function ContactFields({ draft: { settings, problemOf, change } }: { draft: Draft }) {
  return (
    <Section title="Contact data">
      <p className="text-base-content/75 text-sm">An empty field is not shown.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <SettingInput
          label="E-mail"
          type="email"
          value={settings.email}
          problem={problemOf('email')}
          onChange={(email) => change({ email })}
          autoComplete="email"
        />
        <SettingInput
          label="Phone"
          type="tel"
          value={settings.phone}
          problem={problemOf('phone')}
          onChange={(phone) => change({ phone })}
          autoComplete="tel"
        />
        <SettingInput
          label="Toll-free number"
          type="tel"
          value={settings.tollFree}
          problem={problemOf('tollFree')}
          onChange={(tollFree) => change({ tollFree })}
        />
        <SettingTextarea
          label="Address"
          rows={3}
          value={settings.address}
          problem={problemOf('address')}
          onChange={(address) => change({ address })}
        />
      </div>
      <label className="flex items-center gap-3">
        <input
          type="checkbox"
          className="checkbox"
          checked={settings.mailsOrders}
          onChange={({ target }) => change({ mailsOrders: target.checked })}
        />
        Send each admin an e-mail for a new order
      </label>
    </Section>
  )
}
