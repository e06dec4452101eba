import type { DemoCategory } from '../demo-category.ts'

export const toysAndGames: DemoCategory = {
  name: 'Toys & Games',
  palette: { light: '#ecdff9', deep: '#bf9fe6', disc: '#faf5ff', shade: '#43236e' },
  products: [
    {
      name: 'Barnaby the Teddy Bear',
      emoji: '1f9f8',
      price: 28,
      quantity: 37,
      shipping: true,
      description:
        'A teddy bear with round ears, honey-brown plush and an expression of perfect trust. Barnaby is 32 cm tall when he sits, which is always, and his eyes are embroidered, so he is a gift for the very youngest. Machine wash at 30 degrees and dry him in the sun.',
    },
    {
      name: 'Coal Valley Steam Engine',
      emoji: '1f682',
      price: 54,
      quantity: 13,
      shipping: true,
      description:
        'A wooden steam engine in black and red with a golden band around its funnel. Magnets couple it to every common wooden railway, and the wheels turn on steel axles. 14 cm of beech, painted with water-based colours.',
    },
    {
      name: 'Katya Nesting Doll',
      emoji: '1fa86',
      price: 33.6,
      quantity: 21,
      shipping: true,
      description:
        'Open Katya and there is a smaller Katya, and so on until the fifth, who is the size of a bean. Lime wood, turned and painted by one hand from first to last. The largest is 15 cm tall in a raspberry shawl.',
    },
    {
      name: 'Fairground Carousel Horse',
      emoji: '1f3a0',
      price: 112,
      quantity: 3,
      shipping: true,
      description:
        'A chestnut carousel horse on a brass pole, carved after one that went round for ninety years. It stands 40 cm tall, and a music box in the base plays a slow waltz while the horse rises and falls. For the shelf rather than the nursery.',
    },
    {
      name: 'Mission Moon Rocket',
      emoji: '1f680',
      price: 37,
      quantity: 26,
      shipping: true,
      description:
        'A rocket with red fins, a blue porthole and a flame of orange felt. It is 36 cm of birch plywood in nine pieces that snap together, with two astronauts aboard. No batteries; countdown by you.',
    },
    {
      name: 'Tin Can Robot',
      emoji: '1f916',
      price: 44,
      quantity: 17,
      shipping: true,
      description:
        'A robot with red aerials and eyes that light up when somebody claps. Children program it with eighteen cards, no screen required, and it remembers forty steps. It charges by USB-C and drives for three hours.',
    },
    {
      name: 'Tango the Piñata',
      emoji: '1fa85',
      price: 22,
      quantity: 8,
      shipping: true,
      description:
        'A donkey in every colour of crêpe paper, with room for a kilo of sweets. Tango is 48 cm tall and glued from card by hand in Guadalajara. Hang him high, cover your eyes, and take turns.',
    },
    {
      name: 'Rexford the Dinosaur',
      emoji: '1f996',
      price: 15.9,
      quantity: 45,
      shipping: true,
      description:
        'A green dinosaur of natural rubber with very small arms and very good manners. He is 17 cm tall, stands on his own feet and squeaks when he is hugged. Free of PVC, and happy in the bath.',
    },
    {
      name: 'Bullseye Dartboard',
      emoji: '1f3af',
      price: 46.3,
      quantity: 12,
      shipping: true,
      description:
        'A dartboard in red and white rings, pressed from sisal that closes over every hole. It is 45 cm across and hangs from one screw; three blue darts of 22 g are in the box. Turn it a little each month, and it lasts for years.',
    },
    {
      name: 'Bead Street Abacus',
      emoji: '1f9ee',
      price: 25.75,
      quantity: 19,
      shipping: true,
      description:
        'Four rows of beads in four colours, in a frame that is easy to grip. It makes carrying visible, which is half of arithmetic. 24 cm square, beech and steel, with rounded corners.',
    },
    {
      name: 'Violet Star Yo-Yo',
      emoji: '1fa80',
      price: 9.5,
      quantity: 70,
      shipping: true,
      description:
        'A yo-yo that sleeps for a full minute on its ball bearing and wakes with a tug. Violet ABS with a star on each side, 56 mm across, 65 g. Two spare strings are in the bag.',
    },
  ],
}
