import type { StoredAddress } from '#db/schema.ts'

type DemoCustomer = Omit<StoredAddress, 'region'> & { email: string }

/** The password and the answer of a customer: no secret matches a text that is not a hash. */
export const NO_SECRET = 'none'

/** The customers of the demo's orders. They have no password, so that nobody can log in as one of them. */
export const DEMO_CUSTOMERS: DemoCustomer[] = [
  {
    name: 'Asha Rao',
    email: 'asha.rao@example.com',
    street: '14 Rose Garden Road',
    city: 'Pune',
    postalCode: '411001',
    country: 'IN',
    phone: '+91 20 5550 0102',
  },
  {
    name: 'Liam Walsh',
    email: 'liam.walsh@example.com',
    street: '8 Harbour Street',
    city: 'Galway',
    postalCode: 'H91 ABC1',
    country: 'IE',
    phone: '+353 91 555 0103',
  },
  {
    name: 'Mei Tan',
    email: 'mei.tan@example.com',
    street: '25 Orchard Walk',
    city: 'Singapore',
    postalCode: '238801',
    country: 'SG',
    phone: '+65 5550 0104',
  },
  {
    name: 'Jonas Weber',
    email: 'jonas.weber@example.com',
    street: 'Lindenweg 3',
    city: 'Freiburg',
    postalCode: '79098',
    country: 'DE',
    phone: '+49 761 5550105',
  },
  {
    name: 'Amara Okafor',
    email: 'amara.okafor@example.com',
    street: '31 Palm Avenue',
    city: 'Enugu',
    postalCode: '400001',
    country: 'NG',
    phone: '+234 42 555 0106',
  },
  {
    name: 'Sofia Romano',
    email: 'sofia.romano@example.com',
    street: 'Via dei Tigli 7',
    city: 'Bologna',
    postalCode: '40121',
    country: 'IT',
    phone: '+39 051 555 0107',
  },
  {
    name: 'Emma Larsen',
    email: 'emma.larsen@example.com',
    street: 'Havnegade 12',
    city: 'Aarhus',
    postalCode: '8000',
    country: 'DK',
    phone: '+45 55 50 01 08',
  },
  {
    name: 'Noah Parker',
    email: 'noah.parker@example.com',
    street: '40 Maple Street',
    city: 'Nelson',
    postalCode: '7010',
    country: 'NZ',
    phone: '+64 3 555 0109',
  },
]
