/** The published logins of the demo. */
export const DEMO_ADMIN = {
  name: 'Meera Nair',
  email: 'admin@example.com',
  password: 'admin-demo',
  phone: '+1 555 0100',
  address: '1 Market Square, Springfield',
  answer: 'Badminton',
}

export const DEMO_CUSTOMER = {
  name: 'Sam Rivera',
  email: 'customer@example.com',
  password: 'customer-demo',
  phone: '+1 555 0101',
  address: '27 Lantern Lane, Springfield',
  answer: 'Football',
}
