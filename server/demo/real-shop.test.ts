import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { isForwarded } from './real-shop.ts'

const LOCAL = { host: '127.0.0.1:3000' }

function requestWith(headers: Record<string, string>) {
  const request = new IncomingMessage(new Socket())
  return Object.assign(request, { httpVersion: '1.1', headers })
}

it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.1.2.3', '[::1]', '[::1]:3000'])(
  'Host: %s is this machine',
  (host) => {
    expect(isForwarded(requestWith({ host }))).toBe(false)
  },
)

it.each([
  'evil@127.0.0.1:3000',
  '127.0.0.1/evil',
  '127.0.0.1?evil',
  '127.0.0.1#evil',
  '127.0.0.1\\x',
  '127.0.0.1.evil.com',
  'localhost.evil.com',
  'evil.com',
  '127.0.0.1:3000:80',
  '127.1',
  '',
])('Host: %s is not this machine', (host) => {
  expect(isForwarded(requestWith({ host }))).toBe(true)
})

it.each([
  'client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'fastly-client-ip',
  'true-client-ip',
  'forwarded',
  'x-forwarded',
  'x-forwarded-for',
  'via',
  'x-real-ip',
  'cdn-loop',
  'cf-ray',
  'x-original-host',
  'x-envoy-external-address',
  'x-amzn-trace-id',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-vercel-id',
])('%s is a header of a proxy', (name) => {
  expect(isForwarded(requestWith({ ...LOCAL, [name]: 'x' }))).toBe(true)
})

it('the headers of a browser are not those of a proxy', () => {
  const names = ['accept', 'cookie', 'referer', 'sec-fetch-site', 'user-agent', 'x-xsrf-token']
  const headers = Object.fromEntries(names.map((name) => [name, 'x']))
  expect(isForwarded(requestWith({ ...LOCAL, ...headers }))).toBe(false)
})
