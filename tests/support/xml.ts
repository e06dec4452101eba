import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect } from 'vitest'

const LISTS = ['item', 'url', 'sitemap', 'g:shipping']

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => LISTS.includes(name),
})

/** Parses a document, which has to be well-formed. Elements that repeat are lists. */
export function parseXml(bytes: Buffer | string) {
  const text = String(bytes)
  expect(XMLValidator.validate(text)).toBe(true)
  return parser.parse(text)
}
