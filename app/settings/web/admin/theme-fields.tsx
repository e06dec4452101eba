import { SCHEMES } from '#app/settings/contract.ts'
import { DEFAULT_ACCENT } from '#app/settings/theme-contract.ts'
import { Section, SettingField, SettingInput } from './setting-field.tsx'
import type { Draft } from './settings-draft.ts'

const SCHEME_NAMES = {
  system: "As the visitor's device: light or dark",
  light: 'Always light',
  dark: 'Always dark',
} as const

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text)

/** The accent colour and the theme. */
export function ThemeFields({ draft: { settings, problemOf, change } }: { draft: Draft }) {
  const { accent, scheme } = settings
  return (
    <Section title="Theme">
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="flex items-start gap-3">
          <div className="flex-1">
            <SettingInput
              label="Accent colour"
              hint="The colours of the light and the dark theme are derived from it."
              value={accent}
              problem={problemOf('accent')}
              onChange={(chosen) => change({ accent: chosen.trim() })}
            />
          </div>
          <input
            type="color"
            aria-label="Choose the accent colour"
            value={isColour(accent) ? accent.toLowerCase() : DEFAULT_ACCENT}
            onChange={({ target }) => change({ accent: target.value })}
            className="mt-6.5 h-10 w-12 shrink-0 cursor-pointer rounded-field"
          />
        </div>
        <SettingField label="Theme of the pages" problem={problemOf('scheme')}>
          {(control) => (
            <select
              {...control}
              value={scheme}
              onChange={({ target }) =>
                change({ scheme: SCHEMES.find((one) => one === target.value) ?? 'system' })
              }
              className="select w-full bg-base-200"
            >
              {SCHEMES.map((one) => (
                <option key={one} value={one}>
                  {SCHEME_NAMES[one]}
                </option>
              ))}
            </select>
          )}
        </SettingField>
      </div>
    </Section>
  )
}
