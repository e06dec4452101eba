/** Class 22: uploads that are also code. */
import sharp from 'sharp'
import { beforeAll, describe } from 'vitest'
import { declared } from '#tests/support/declared.ts'
import { plain } from '#tests/support/pictures.ts'
import { type Attack, defend } from './support/attack.ts'
import { type Response, withText } from './support/http.ts'
import { addMember, addOwner } from './support/people.ts'
import { by, formOf, knownFor, objectOf, requestFor } from './support/requests.ts'
import { openWorld } from './support/world.ts'

const world = openWorld()

const CODE = '<?php system($_GET[0]); ?><script>injected()</script>'
const polyglots: Record<string, Buffer | string> = {}

beforeAll(async () => {
  const picture = plain(40, 30)
  const [jpeg, png, gif] = [
    await picture.jpeg().toBuffer(),
    await picture.png().toBuffer(),
    await picture.gif().toBuffer(),
  ]
  const noted = picture.withExif({ IFD0: { ImageDescription: CODE, Copyright: CODE } })
  Object.assign(polyglots, {
    'a JPEG that ends in code': Buffer.concat([jpeg, Buffer.from(CODE)]),
    'a JPEG with code in its notes': await noted.jpeg().toBuffer(),
    'a PNG that ends in code': Buffer.concat([png, Buffer.from(CODE)]),
    'a GIF that ends in code': Buffer.concat([gif, Buffer.from(CODE)]),
    'a GIF that is a script': Buffer.from(`GIF89a=1;/*${CODE}*/`),
    'code with the name of a JPEG': CODE,
    'a page with the name of a JPEG': `<!doctype html><title>x</title>${CODE}`,
    'a drawing with a script': `<svg xmlns="http://www.w3.org/2000/svg" onload="injected()"><text>${CODE}</text></svg>`,
    'a drawing that reads a file':
      '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
    'an archive behind a picture': Buffer.concat([
      jpeg,
      Buffer.from('PK\x03\x04'),
      Buffer.from(CODE),
    ]),
  })
})

const TYPES: Record<string, string> = {
  '*/*': 'image/jpeg',
  'image/avif': 'image/avif',
  'image/webp': 'image/webp',
  'text/html': 'image/jpeg',
}

async function isPicture(bytes: Buffer) {
  try {
    return (await sharp(bytes).metadata()).width !== undefined
  } catch {
    return false
  }
}

/** What of a served photo a browser might run. */
async function dangersOf({ headers, bytes }: Response, accept: string): Promise<string[]> {
  return [
    ...(headers['content-type'] === TYPES[accept]
      ? []
      : [`is served as ${headers['content-type']}`]),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['may be sniffed']),
    ...(String(headers['content-security-policy']).includes("default-src 'none'")
      ? []
      : ['has a policy that lets it run']),
    ...(/php|injected/.test(bytes.toString('latin1')) ? ['still has its code'] : []),
    ...((await isPicture(bytes)) ? [] : ['is no picture']),
  ]
}

const uploads: Attack = async function* ({ shop, send }) {
  const { token } = await addMember(shop, { admin: true })
  for (const [name, endpoint] of declared.filter(([, { multipart }]) => multipart)) {
    for (const [what, file] of Object.entries(polyglots)) {
      const owner = await addOwner(shop)
      const fields = objectOf(endpoint.body, knownFor(endpoint, owner))
      const { updatedAt: _, quantityRead: __, ...rest } = fields
      const sent = { ...requestFor(endpoint, owner), ...formOf(rest, file) }
      const { status, text } = await send(by({ authorization: token }, sent))
      if (status >= 400) continue
      const { _id } = JSON.parse(text).products
      for (const accept of Object.keys(TYPES)) {
        const path = `/api/v1/product/product-photo/${_id}?w=320`
        const dangers = await dangersOf(
          await send({ method: 'GET', path, headers: { accept } }),
          accept,
        )
        yield* dangers.map((danger) => `${what} by ${name} ${danger}`)
      }
    }
  }
}

describe('an upload', () => {
  defend('class 22: is served as a picture made anew, or refused', {
    world,
    attack: uploads,
    holes: {
      'a photo is served as it came': {
        finding: /a JPEG that ends in code by createProduct still has its code/,
        plant: (send) => async (attempt) => {
          const response = await send(attempt)
          const bytes = Buffer.from(polyglots['a JPEG that ends in code'] ?? '')
          return attempt.path.includes('product-photo') ? { ...response, bytes } : response
        },
      },
      'the type follows the request': {
        finding: /is served as text\/html/,
        plant: (send) => async (attempt) => {
          const response = await send(attempt)
          const isAsked = attempt.headers?.accept === 'text/html'
          return isAsked
            ? { ...response, headers: { ...response.headers, 'content-type': 'text/html' } }
            : response
        },
      },
      'what is no picture is taken': {
        finding: /code with the name of a JPEG by createProduct is no picture/,
        plant: (send) => async (attempt) => {
          const response = await send(attempt)
          const isOpen = response.status === 415
          return isOpen
            ? { ...withText(response, '{"products":{"_id":"none"}}'), status: 201 }
            : response
        },
      },
    },
  })
})
