import type { DemoCategory } from '../demo-category.ts'

export const soundAndScreens: DemoCategory = {
  name: 'Sound & Screens',
  palette: { light: '#dde7fb', deep: '#9db3ea', disc: '#f5f8ff', shade: '#253468' },
  products: [
    {
      name: 'Harbour Wireless Headphones',
      emoji: '1f3a7',
      price: 129,
      quantity: 33,
      shipping: true,
      description:
        'Over-ear headphones that turn a crowded ferry into a quiet room. They play for 38 hours on a charge, with noise cancelling on, and ten minutes at the plug add five hours. The silver band weighs 248 g, and the cushions are memory foam that can be replaced.',
    },
    {
      name: 'Meridian 35 mm Film Camera',
      emoji: '1f4f7',
      price: 289.99,
      quantity: 4,
      shipping: true,
      description:
        'A rangefinder camera for people who like to think before they press. It has a fixed 40 mm f/2 lens, shutter speeds to 1/1000 s, and a meter that needs one small battery a year. Overhauled in our workshop, with new light seals and a one-year guarantee.',
    },
    {
      name: 'Windowsill Radio',
      emoji: '1f4fb',
      price: 74.5,
      quantity: 19,
      shipping: true,
      description:
        'FM, DAB+ and Bluetooth in one small radio with a dial you can turn. The speaker of 8 cm sounds larger than it is, and the telescopic aerial finds stations behind thick walls. It runs from USB-C or for fifteen hours on its battery.',
    },
    {
      name: 'Nova Game Controller',
      emoji: '1f3ae',
      price: 59.9,
      quantity: 41,
      shipping: true,
      description:
        'A violet game controller with sticks that never drift, because magnets read them. It pairs with PC, phone and most consoles, rumbles in both grips and plays for thirty hours. Four buttons in the colours you grew up with.',
    },
    {
      name: 'Broadcast Studio Microphone',
      emoji: '1f399-fe0f',
      price: 159,
      quantity: 8,
      shipping: true,
      description:
        'A large-diaphragm microphone that flatters voices and forgives rooms. It has a cardioid pattern, a low-cut switch, and USB-C beside the XLR socket. The satin steel body stands on its own heavy foot.',
    },
    {
      name: 'Slate 14 Laptop',
      emoji: '1f4bb',
      price: 1149,
      quantity: 5,
      shipping: true,
      description:
        'A laptop computer of 1.2 kg with a 14-inch matt screen that covers the whole P3 gamut. Inside are 16 GB of memory, a 1 TB drive and a battery for twelve hours, all held by screws that you may undo. Any Linux runs on it.',
    },
    {
      name: 'Rondo Portable Television',
      emoji: '1f4fa',
      price: 219,
      quantity: 3,
      shipping: true,
      description:
        'A TV that looks like 1968 and shows today: a 19-inch panel in a rounded grey case, on four small feet. Two HDMI sockets, a tuner for the aerial on top, and two real knobs for channel and volume. The feet unscrew if you would rather hang it.',
    },
    {
      name: 'Matinee Film Projector',
      emoji: '1f4fd-fe0f',
      price: 340,
      quantity: 1,
      shipping: true,
      description:
        'A 16 mm film projector, restored down to its belts, that purrs through a reel of 45 minutes. An LED replaces the hot lamp, so your films stay cool, and the sound comes from an optical reader. A spare reel and a splicer are in the box.',
    },
    {
      name: 'Quill Wireless Keyboard',
      emoji: '2328-fe0f',
      price: 69,
      quantity: 27,
      shipping: true,
      description:
        'A compact keyboard with quiet scissor keys and letters that do not wear off. It switches between three devices with one key and runs for eight months on a charge. The base is recycled aluminium and weighs 420 g.',
    },
    {
      name: 'Pebble Wireless Mouse',
      emoji: '1f5b1-fe0f',
      price: 24.99,
      quantity: 52,
      shipping: true,
      description:
        'A mouse as smooth as something found on a beach, for the left hand or the right. The wheel clicks softly, the sensor works on wood and cloth, and one AA battery lasts a year and a half.',
    },
    {
      name: 'Operator Desk Telephone',
      emoji: '260e-fe0f',
      price: 55,
      quantity: 12,
      shipping: true,
      description:
        'A telephone with a proper handset, a coiled cord and a bell that rings. The twelve keys are large and sprung, and the red shell is solid ABS of the old weight. It plugs into an analogue line or any router with a telephone socket.',
    },
  ],
}
