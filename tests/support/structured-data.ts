import Validator from '@adobe/structured-data-validator'

/** A thing of schema.org; the names of its properties are checked by the types of schema-dts. */
export type Thing = Record<string, unknown> & { '@type': string }

/**
 * Violations of the rules of Google's rich results by these things: missing and wrong properties. A
 * shop does not know how long a delivery takes, which Google only recommends.
 */
export async function errorsIn(things: Thing[]): Promise<string[]> {
  const jsonld = Object.groupBy(things, (thing) => thing['@type'])
  // the validator changes what it reads
  const issues = await new Validator().validate({ jsonld: structuredClone(jsonld) as never })
  return issues
    .filter(({ severity, fieldNames }) => severity === 'ERROR' && fieldNames[0] !== 'deliveryTime')
    .map(({ issueMessage }) => issueMessage)
}

/** The structured data of a page. */
export const thingsIn = (html: string): Thing[] =>
  [...html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(
    ([, json = '']) => JSON.parse(json),
  )
