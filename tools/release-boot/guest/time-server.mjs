// A time server for systemd-timesyncd. Argument: the right time, in milliseconds since 1970.
import { createSocket } from 'node:dgram';

const SECONDS_FROM_1900 = 2_208_988_800;
const startMs = Number(process.argv[2]) - performance.now();
const socket = createSocket('udp4');

function now() {
  const ms = startMs + performance.now();
  const seconds = Math.floor(ms / 1000);
  return [seconds + SECONDS_FROM_1900, Math.floor((ms / 1000 - seconds) * 2 ** 32)];
}

socket.on('message', (request, { address, port }) => {
  const answer = Buffer.alloc(48);
  answer.writeUInt8(0b00_100_100, 0); // version 4, server
  answer.writeUInt8(1, 1); // stratum
  answer.writeUInt8(request.readUInt8(2), 2);
  answer.writeInt8(-20, 3); // precision
  answer.write('TEST', 12, 'latin1');
  request.copy(answer, 24, 40, 48); // when the client sent the request
  for (const at of [16, 32, 40]) {
    const [seconds, fraction] = now();
    answer.writeUInt32BE(seconds, at);
    answer.writeUInt32BE(fraction, at + 4);
  }
  socket.send(answer, port, address);
});
socket.bind(123, '127.0.0.1');
