import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { problemsOf } from './config-file.ts'

const errorsOf = (text: string) => problemsOf(text, '.env').errors

it.each([
  [
    'DATABSE_URL=postgres://secret',
    'Line 1 of .env sets DATABSE_URL, which is unknown. Is it DATABASE_URL?',
  ],
  ['# a comment\n\nsmtp_url=x', 'Line 3 of .env sets smtp_url, which is unknown. Is it SMTP_URL?'],
  [
    'PORT=1\nRAZORPAY_KEY_SECERT=s',
    'Line 2 of .env sets RAZORPAY_KEY_SECERT, which is unknown. Is it RAZORPAY_KEY_SECRET?',
  ],
  ['DEMO=off\nhello', 'Line 2 of .env is no setting: it must be NAME=value, or a comment after #.'],
  ['=off', 'Line 1 of .env is no setting: it must be NAME=value, or a comment after #.'],
  ['SHOP_NAME="My shop\nPORT=1', 'Line 1 of .env opens a quote (") that is never closed.'],
])('names the line that is wrong, and no value: %j', (text, sentence) => {
  expect(errorsOf(text)).toEqual([sentence])
})

it('takes what Node reads: spaces, export, comments, and quotes over several lines', async () => {
  const text =
    'DATA_DIR = /x # y\nexport PORT=1\nSHOP_NAME="a\nb=c"\nMAIL_FROM=`x`\nNODE_ENV=production\nTZ=UTC\nPGHOST=db\nPGPORT=1'
  expect(problemsOf(text, '.env')).toEqual({ errors: [], warnings: [] })
  const example = await readFile(new URL('../.env.example', import.meta.url), 'utf8')
  const set = example.replaceAll(/^# ([A-Z_]+=)/gm, '$1')
  expect(problemsOf(set, '.env.example')).toEqual({ errors: [], warnings: [] })
})

it('warns of a name that is near no setting: it may be for another program', () => {
  expect(problemsOf('COMPOSE_PROJECT_NAME=haat', '.env')).toEqual({
    errors: [],
    warnings: ['Line 1 of .env sets COMPOSE_PROJECT_NAME, which the shop does not read.'],
  })
})
