/** Countries and regions: their codes, their names, and addresses as text. */
import { atFirstUse } from '../shared/model/at-first-use.ts'
import type { DeliveryAddress, DeliveryPlace } from './contract.ts'

/** A place with its codes; without a region it is a whole country. */
export type Place = { country: string; region: string | null }

/**
 * ISO 3166-1 alpha-2, and Kosovo, for which it has no code: XK is the one of CLDR, of the EU and of carriers.
 */
export const COUNTRIES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS ' +
  'BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE ' +
  'EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM ' +
  'HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC ' +
  'LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA ' +
  'NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO ' +
  'TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ')

/**
 * The regions of countries whose rates often differ by region, by their codes of ISO 3166-2. In other
 * countries a region is the text that the customer enters.
 */
const REGIONS: Record<string, Record<string, string>> = {
  AU: {
    ACT: 'Australian Capital Territory',
    NSW: 'New South Wales',
    NT: 'Northern Territory',
    QLD: 'Queensland',
    SA: 'South Australia',
    TAS: 'Tasmania',
    VIC: 'Victoria',
    WA: 'Western Australia',
  },
  CA: {
    AB: 'Alberta',
    BC: 'British Columbia',
    MB: 'Manitoba',
    NB: 'New Brunswick',
    NL: 'Newfoundland and Labrador',
    NS: 'Nova Scotia',
    NT: 'Northwest Territories',
    NU: 'Nunavut',
    ON: 'Ontario',
    PE: 'Prince Edward Island',
    QC: 'Quebec',
    SK: 'Saskatchewan',
    YT: 'Yukon',
  },
  IN: {
    AN: 'Andaman and Nicobar Islands',
    AP: 'Andhra Pradesh',
    AR: 'Arunachal Pradesh',
    AS: 'Assam',
    BR: 'Bihar',
    CG: 'Chhattisgarh',
    CH: 'Chandigarh',
    DH: 'Dadra and Nagar Haveli and Daman and Diu',
    DL: 'Delhi',
    GA: 'Goa',
    GJ: 'Gujarat',
    HP: 'Himachal Pradesh',
    HR: 'Haryana',
    JH: 'Jharkhand',
    JK: 'Jammu and Kashmir',
    KA: 'Karnataka',
    KL: 'Kerala',
    LA: 'Ladakh',
    LD: 'Lakshadweep',
    MH: 'Maharashtra',
    ML: 'Meghalaya',
    MN: 'Manipur',
    MP: 'Madhya Pradesh',
    MZ: 'Mizoram',
    NL: 'Nagaland',
    OD: 'Odisha',
    PB: 'Punjab',
    PY: 'Puducherry',
    RJ: 'Rajasthan',
    SK: 'Sikkim',
    TN: 'Tamil Nadu',
    TR: 'Tripura',
    TS: 'Telangana',
    UK: 'Uttarakhand',
    UP: 'Uttar Pradesh',
    WB: 'West Bengal',
  },
  US: {
    AK: 'Alaska',
    AL: 'Alabama',
    AR: 'Arkansas',
    AZ: 'Arizona',
    CA: 'California',
    CO: 'Colorado',
    CT: 'Connecticut',
    DC: 'District of Columbia',
    DE: 'Delaware',
    FL: 'Florida',
    GA: 'Georgia',
    HI: 'Hawaii',
    IA: 'Iowa',
    ID: 'Idaho',
    IL: 'Illinois',
    IN: 'Indiana',
    KS: 'Kansas',
    KY: 'Kentucky',
    LA: 'Louisiana',
    MA: 'Massachusetts',
    MD: 'Maryland',
    ME: 'Maine',
    MI: 'Michigan',
    MN: 'Minnesota',
    MO: 'Missouri',
    MS: 'Mississippi',
    MT: 'Montana',
    NC: 'North Carolina',
    ND: 'North Dakota',
    NE: 'Nebraska',
    NH: 'New Hampshire',
    NJ: 'New Jersey',
    NM: 'New Mexico',
    NV: 'Nevada',
    NY: 'New York',
    OH: 'Ohio',
    OK: 'Oklahoma',
    OR: 'Oregon',
    PA: 'Pennsylvania',
    RI: 'Rhode Island',
    SC: 'South Carolina',
    SD: 'South Dakota',
    TN: 'Tennessee',
    TX: 'Texas',
    UT: 'Utah',
    VA: 'Virginia',
    VT: 'Vermont',
    WA: 'Washington',
    WI: 'Wisconsin',
    WV: 'West Virginia',
    WY: 'Wyoming',
  },
}

/** The member states of the European Union. */
export const EU_STATES: readonly string[] =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

const names = atFirstUse(() => new Intl.DisplayNames(['en'], { type: 'region' }))

export const isCountry = (code: string): boolean => COUNTRIES.includes(code)

/** The English name of a country; the code of one that there is not. */
export const countryName = (code: string): string =>
  isCountry(code) ? (names().of(code) ?? code) : code

type NamedPlace = { code: string; name: string }

const sortedByName = (places: NamedPlace[], locale: string) => {
  const { compare } = new Intl.Collator(locale)
  return places.sort((one, other) => compare(one.name, other.name))
}

/** All countries by their English names, sorted as the language of the locale does. */
export const namedCountries = (locale: string): NamedPlace[] =>
  sortedByName(
    COUNTRIES.map((code) => ({ code, name: countryName(code) })),
    locale,
  )

/** The known regions of a country by name; none where a region is free text. */
export const regionsOf = (country: string): NamedPlace[] =>
  sortedByName(
    Object.entries(REGIONS[country] ?? {}).map(([code, name]) => ({ code, name })),
    'en',
  )

/** The name of a known region; else the text itself. */
export const regionName = (country: string, region: string): string =>
  REGIONS[country]?.[region] ?? region

/** Whether the regions of a country are known, and this is none of them. */
export const isUnknownRegion = ({ country, region }: Place): boolean =>
  region !== null && REGIONS[country] !== undefined && REGIONS[country][region] === undefined

/** The text without case, accents and repeated blanks. */
const folded = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, ' ').toUpperCase()

/**
 * The place of an address, in the form in which places are compared: a known region by its code,
 * another one as text without case and accents.
 */
export function placeOf({ country, region = '' }: DeliveryPlace): Place {
  const key = folded(region)
  const known = regionsOf(country).find(({ name }) => folded(name) === key)
  return { country, region: known?.code ?? (key || null) }
}

/**
 * The region of a place as it is written: a code stays as it is, and a name in upper case gets small
 * letters after the first one of each word. Words of up to three letters, such as NRW, stay.
 */
export const regionLabel = ({ country, region }: { country: string; region: string }): string =>
  REGIONS[country]?.[region] === undefined
    ? region.replace(/\p{L}{4,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase())
    : region

/** A place as text, such as Karnataka, India. */
export const placeName = ({ country, region }: Place): string =>
  [
    region === null ? '' : regionName(country, regionLabel({ country, region })),
    countryName(country),
  ]
    .filter(Boolean)
    .join(', ')

/** The countries that write the postal code before the city. */
const POSTAL_CODE_FIRST = (
  'AD AL AM AR AT AX AZ BA BE BG BL BY CH CL CV CY CZ DE DK DO DZ EC EE ES ET FI FO FR GE GF GL GN GP ' +
  'GR GT GW HR HT HU IS IT KG KW LA LI LR LT LU MA MC MD ME MF MG MK MQ MU MX MY MZ NC NE NI NL NO OM ' +
  'PF PL PM PT PY RE RO RS SE SI SJ SK SM SN SV TJ TM TN TR TZ UA UY UZ VA WF XK YT ZM'
).split(' ')

/** The countries that write the postal code on a line of its own. */
const POSTAL_CODE_APART = 'AF EG FK GB GG HN IE IM JE KE LK LV RU SZ ZA'.split(' ')

/** The city with its region and postal code, in the order of the country. */
function townOf({ city, region = '', postalCode = '', country }: DeliveryAddress): string {
  const inOrder = (...parts: string[]) => parts.filter(Boolean).join(', ')
  const area = regionName(country, region)
  if (POSTAL_CODE_FIRST.includes(country)) return inOrder(`${postalCode} ${city}`.trim(), area)
  if (POSTAL_CODE_APART.includes(country)) return inOrder(city, area, postalCode)
  return `${inOrder(city, area)} ${postalCode}`.trim()
}

/** The address without its name and phone as one line of text. */
export const formatAddress = (address: DeliveryAddress): string =>
  [address.street, townOf(address), countryName(address.country)].join(', ')
