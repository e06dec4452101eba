import type { DemoCategory } from '../demo-category.ts'

export const clothesAndBags: DemoCategory = {
  name: 'Clothes & Bags',
  palette: { light: '#fde0df', deep: '#ee9ea5', disc: '#fff4f2', shade: '#702336' },
  products: [
    {
      name: 'Monsoon Umbrella',
      emoji: '2602-fe0f',
      price: 36,
      quantity: 38,
      shipping: true,
      facts: { Material: 'Polyester' },
      description:
        'An umbrella for real rain: eight fibreglass ribs, a violet canopy of 104 cm and a crook of cherry wood. Gusts turn it inside out and it simply folds back. Let it dry open, and it will see many monsoons.',
    },
    {
      name: 'Campus Backpack',
      emoji: '1f392',
      price: 62,
      quantity: 29,
      shipping: true,
      facts: { Material: 'Polyester', Capacity: '22', 'Machine-washable': 'yes' },
      description:
        'A 22-litre backpack in raspberry canvas with a saffron zip you can find in the dark. The padded sleeve takes a 15-inch laptop, the front pocket takes everything else. Made of recycled bottles, 27 of them; wash it cold.',
    },
    {
      name: 'Feather Running Shoes',
      emoji: '1f45f',
      price: 94.95,
      quantity: 23,
      shipping: true,
      sizes: { 38: 23, 39: 14, 40: 9, 41: 17, 42: 21, 43: 12, 44: 0, 45: 6 },
      facts: { Material: 'Polyester', 'Machine-washable': 'no' },
      description:
        'Running shoes that weigh 218 g and forgive 700 km of pavement. The grey mesh breathes, the lilac foam gives back what you put in, and the sole grips on wet stone. Sizes 38 to 45; they fit as usual.',
    },
    {
      name: 'Garden Party Straw Hat',
      emoji: '1f452',
      price: 39.5,
      quantity: 16,
      shipping: true,
      facts: { Material: 'Raffia', 'Machine-washable': 'no' },
      description:
        'A wide hat of golden raffia with a red satin bow. The brim of 9 cm shades the neck as well, and a hidden cord fits it to any head from 55 to 60 cm. It rolls up for the suitcase and springs back with a little steam.',
    },
    {
      name: 'Highland Wool Scarf',
      emoji: '1f9e3',
      price: 42,
      quantity: 20,
      shipping: true,
      facts: { Material: 'Wool', 'Machine-washable': 'no' },
      description:
        'A scarlet scarf of lambswool, woven in the Borders and brushed with real teasels. It is 180 cm long and 30 cm wide, with a knotted fringe. Wash it by hand in lukewarm water, or just air it overnight.',
    },
    {
      name: 'Boulevard Camel Coat',
      emoji: '1f9e5',
      price: 165,
      quantity: 3,
      shipping: true,
      sizes: { XS: 3, S: 5, M: 8, L: 0, XL: 2 },
      facts: { Material: 'Wool', 'Machine-washable': 'no' },
      description:
        'A straight coat in camel wool that goes over a suit and over pyjamas. 80% wool, fully lined, with horn buttons and two deep pockets. Sizes XS to XL; dry-clean once a winter.',
    },
    {
      name: 'Weekender Cabin Suitcase',
      emoji: '1f9f3',
      price: 118,
      quantity: 15,
      shipping: true,
      facts: { Material: 'Polycarbonate', Capacity: '38' },
      description:
        'A cabin suitcase in two blues: luggage of 55 by 40 by 20 cm, which every airline lets in. The polycarbonate shell bends rather than breaks, and the two wheels are as quiet as slippers. 2.3 kg empty, 38 litres full.',
    },
    {
      name: 'Riviera Sunglasses',
      emoji: '1f576-fe0f',
      price: 72,
      quantity: 25,
      shipping: true,
      facts: { Material: 'Acetate' },
      description:
        'Sunglasses in midnight acetate with polarised lenses that quiet the glare of the sea. They block all UV up to 400 nm, and the steel hinges have five barrels. With a hard case and a cloth.',
    },
    {
      name: 'Silk Road Sari',
      emoji: '1f97b',
      price: 92,
      quantity: 6,
      shipping: true,
      facts: { Material: 'Silk', 'Machine-washable': 'no' },
      description:
        'Six metres of handloom silk that runs from coral to sea green, edged in gold thread. The blouse piece is included and uncut. Dry-clean it, and store it folded in cotton, each time along another line.',
    },
    {
      name: 'Lilac Knit Gloves',
      emoji: '1f9e4',
      price: 18.9,
      quantity: 47,
      shipping: true,
      facts: { Material: 'Wool', 'Machine-washable': 'yes' },
      description:
        'Merino gloves in a deep lilac, with a long ribbed cuff that goes under the sleeve. The fingertips work on screens. One size fits most hands; wash them with the woollens.',
    },
    {
      name: 'Meadow Socks',
      emoji: '1f9e6',
      price: 11,
      quantity: 64,
      shipping: true,
      sizes: { '36–38': 64, '39–41': 52, '42–44': 70, '45–46': 18 },
      facts: { Material: 'Cotton', 'Machine-washable': 'yes' },
      description:
        'Grass-green socks with blue heels and two buttercup stripes. Combed cotton with a little nylon where the shoe rubs, knitted without a seam at the toe. Sold by the pair, sizes 36 to 46.',
    },
  ],
}
