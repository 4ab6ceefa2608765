/** Where other devices reach this machine. */
import { networkInterfaces } from "node:os";

export const LOOPBACK = "127.0.0.1";

/** Bridges to containers and virtual machines: no phone is behind them. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet)/;

/** This machine's own IPv4 addresses in its networks. */
export function networkAddresses(): string[] {
  return Object.entries(networkInterfaces())
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
}

/** The address that pages are told: one that a phone reaches when the stack listens for the network. */
export function publicHost(host: string | undefined): string {
  return host === undefined || host === LOOPBACK ? LOOPBACK : (networkAddresses()[0] ?? LOOPBACK);
}
