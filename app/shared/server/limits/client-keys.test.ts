import { describe, expect, it } from 'vitest'
import { networkOf, networksOf } from './client-keys.ts'

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:FFFF:CB00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['203.0.113.7:1234', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['[::1]', '0:0:0:0::/64'],
    ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
    ['[fe80::1%eth0]:80', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))

  it('of IPv6 is a wider one, too, and a wider one yet', () => {
    expect(networksOf('2001:db8:1:2345::1')).toEqual([
      '2001:db8:1:2345::/64',
      '2001:db8:1:2300::/56',
      '2001:db8:1::/48',
    ])
    expect(networksOf('2001:db8:1:23ff::1').slice(1)).toEqual([
      '2001:db8:1:2300::/56',
      '2001:db8:1::/48',
    ])
    expect(networksOf('::ffff:203.0.113.7')).toEqual(['203.0.113.7'])
    expect(networksOf('unknown')).toEqual(['unknown'])
  })

  it('of what is no address is itself', () => expect(networkOf('unknown')).toBe('unknown'))
})
