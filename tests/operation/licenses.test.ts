/** The notices of packages, styles and fonts that the built pages contain. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const file = fileURLToPath(new URL('../../build/client/licenses.md', import.meta.url))

it.each([
  ['react', 'MIT License'],
  ['react-dom', 'MIT License'],
  ['react-router', 'MIT License'],
  ['nanostores', 'The MIT License'],
  ['lucide-react', 'ISC License'],
  ['@base-ui/react', 'MIT License'],
  ['tailwindcss', 'MIT License'],
  ['daisyui', 'MIT License'],
  ['Figtree', 'SIL OPEN FONT LICENSE'],
  ['Fraunces', 'SIL OPEN FONT LICENSE'],
])('licenses.md has the licence of %s', (name, license) => {
  const sections = readFileSync(file, 'utf8').split(/^## /m)
  expect(sections.find((section) => section.split(/\s/)[0] === name)).toContain(license)
})
